/// The names of all commands, in the order of the help. The parser, the help, the man page and the completions take
/// them from here.
enum CommandName: String, CaseIterable, Sendable {
    case get, list, search, prefetch, call
    case check
    case catalogShow = "catalog show"
    case catalogInfer = "catalog infer"
    case catalogImport = "catalog import"
    case catalogTypes = "catalog types"
    case catalogSchema = "catalog schema"
    case cache, doctor
    case mcpConfig = "mcp config"
    case completions, help

    /// The command that some words begin with; nil if they begin with no whole name.
    init?(leading words: [String]) {
        guard let first = words.first else { return nil }
        let two = words.prefix(2).joined(separator: " ")
        guard let name = CommandName(rawValue: first) ?? CommandName(rawValue: two), words.starts(with: name.words)
        else { return nil }
        self = name
    }

    /// The words of the name.
    var words: [String] { rawValue.split(separator: " ").map(String.init) }

    /// The first word of the name.
    var group: String { words[0] }

    /// The last word of the name: that of a command within its group.
    var member: String { words[words.count - 1] }

    /// The commands of a group of several words, in the order of the help; none if there is no such group.
    static func members(of group: String) -> [CommandName] {
        allCases.filter { $0.words.count > 1 && $0.group == group }
    }
}
