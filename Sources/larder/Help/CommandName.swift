/// The name of a command. The cases are in the order of the help.
enum CommandName: String, CaseIterable, Sendable {
    case get, list, search, prefetch, sync, sql
    case watch
    case watchList = "watch list"
    case resources, open, call
    case add, remove, catalogs
    case check
    case catalogShow = "catalog show"
    case catalogInfer = "catalog infer"
    case catalogImport = "catalog import"
    case catalogTypes = "catalog types"
    case catalogSchema = "catalog schema"
    case cache
    case cacheExport = "cache export"
    case doctor
    case mcpConfig = "mcp config"
    case mcpBundle = "mcp bundle"
    case completions, help

    /// Finds the command whose full name is at the start of the given words. Returns nil if there is no such command.
    init?(leading words: [String]) {
        guard let first = words.first else { return nil }
        let two = words.prefix(2).joined(separator: " ")
        guard let name = CommandName(rawValue: two) ?? CommandName(rawValue: first), words.starts(with: name.words)
        else { return nil }
        self = name
    }

    /// Whether the first argument of the command is a resource.
    var takesResource: Bool {
        switch self {
        case .get, .list, .search, .prefetch, .sync, .watch, .watchList, .open: true
        default: false
        }
    }

    var words: [String] { rawValue.split(separator: " ").map(String.init) }

    /// The first word of the command's name, such as `catalog` in `catalog show`.
    var group: String { words[0] }

    /// The last word of the command's name, such as `show` in `catalog show`.
    var member: String { words[words.count - 1] }

    /// Returns the commands with two-word names whose first word is `group`, in the order of the help.
    static func members(of group: String) -> [CommandName] {
        allCases.filter { $0.words.count > 1 && $0.group == group }
    }
}
