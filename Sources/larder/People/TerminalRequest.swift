import RPCServer
import System

/// The commands that show the data of one resource. Each command calls the method of the same name, such as `book/get`.
enum TerminalCommand: CaseIterable, Sendable {
    case get, list, search, prefetch, sync

    var name: CommandName {
        switch self {
        case .get: .get
        case .list: .list
        case .search: .search
        case .prefetch: .prefetch
        case .sync: .sync
        }
    }

    /// Returns the method that the command calls, such as `book/get`.
    func method(of resource: String) -> String { resource + suffix }

    /// Whether this command calls the given method, such as `book/get`.
    func isMethod(_ method: String) -> Bool { method.hasSuffix(suffix) }

    private var suffix: String { "/" + name.rawValue }

    /// The usage of the command, for error messages.
    var usage: String {
        switch self {
        case .get: "larder get RESOURCE ID... [name=value ...]"
        case .list: "larder list RESOURCE [filter=value ...] [--page P] [--limit N] [--all]"
        case .search: "larder search RESOURCE TEXT [field=value ...] [--limit N] [--all]"
        case .prefetch: "larder prefetch RESOURCE [filter=value ...]"
        case .sync: "larder sync [RESOURCE [filter=value ...]]"
        }
    }
}

/// A parsed command line of `get`, `list`, `search` or `prefetch`. The parser has not checked the names of resources
/// and parameters against the catalog.
struct TerminalRequest: Equatable, Sendable {
    let command: TerminalCommand
    /// The name of the resource as the user typed it. The name may begin with the name of a catalog, as in
    /// `github/issue`.
    var resource: String
    /// The catalog's name that the user typed before the resource, with a slash. Empty if `resource` contains the
    /// catalog's name.
    var prefix = ""
    /// The arguments after the resource, such as an id, a search text or `name=value`.
    let words: [String]

    /// Parses the positional arguments.
    ///
    /// - Parameters:
    ///   - words: all positional arguments, including the command's name.
    ///   - name: the command that the user typed, if it differs from `command`.
    ///   - catalogs: the catalogs that the command line selects.
    /// - Throws: `UsageError` for missing or surplus arguments.
    init(
        _ command: TerminalCommand, _ words: [String], as name: CommandName? = nil, in catalogs: [FilePath] = []
    ) throws(UsageError) {
        let typed = (name ?? command.name).rawValue
        let usage =
            switch name {
            case .open?, .watch?: "larder \(typed) RESOURCE ID [name=value ...]"
            case .watchList?: "larder watch list RESOURCE [filter=value ...] [--page P]"
            default: command.usage
            }
        let words = Array(words.dropFirst())
        guard let resource = words.first else {
            let list = CommandHint.line("resources", catalogs)
            throw UsageError(message: "'larder \(typed)' needs a resource: \(usage); '\(list)' lists the resources")
        }
        self.command = command
        self.resource = resource
        self.words = Array(words.dropFirst())
        let bare = self.words.filter { !$0.utf8.contains(UInt8(ascii: "=")) }
        switch command {
        case .get where self.words.isEmpty:
            let help = CommandHint.line("help \(resource)", catalogs)
            throw UsageError(message: "'larder \(typed)' needs an id: \(usage); '\(help)' shows an example")
        case .get where name != nil && bare.count > 1:
            throw UsageError(message: "'larder \(typed)' takes one id; remove '\(bare[1])'")
        case .list, .prefetch, .sync:
            guard let word = bare.first else { break }
            let search = CommandHint.line("search \(resource) TEXT", catalogs)
            let other = command == .list ? "; to search for text: \(search)" : ""
            throw UsageError(message: "'\(word)' must be name=value\(other)")
        case .get, .search: break
        }
    }

    /// Whether a `get` command line contains more than one id.
    var hasSeveralIDs: Bool {
        command == .get && words.filter { !$0.utf8.contains(UInt8(ascii: "=")) }.count > 1
    }
}

/// The options of `get`, `list`, `search` and `prefetch`.
struct TerminalOptions: Equatable, Sendable {
    /// Whether the output is a table even if stdout is not a terminal (`--table`).
    var isTable = false
    /// The names of the fields to show; nil for all fields that fit on the terminal.
    var fields: [String]?
    /// The settings file from which `fields` was set; nil if `fields` has another source.
    var fieldsFile: FilePath?
    /// The user's settings file; nil if there is none.
    var settings: FilePath?
    /// The table columns that the user's settings define for each resource. They apply if `fields` is nil.
    var columns: [String: [String]] = [:]
    /// The maximum number of items to show; nil for the method's default.
    var limit: Int?
    /// The number or cursor of the page to show; nil for the first page.
    var page: String?
    /// Whether to show all pages of a list, or all results of a search (`--all`).
    var isAll = false

    /// The maximum number of items to receive. With `--all` and a sort order, there is no maximum: all items must be
    /// sorted before `--limit` applies.
    var received: Int { isAll && order.isNeeded ? .max : limit ?? .max }

    /// The format from `--output`; nil if this option is not given.
    var format: OutputFormat?
    /// The order in which the command prints items.
    var order = SortOrder()
    /// Whether the output uses the program in `PAGER` if stdout is a terminal.
    var isPaged = true
    /// Whether the output uses colours.
    var colour = ColourChoice.auto
    var syncing = SyncOptions()
    var query = SQLOptions()
    /// The time between two requests of `watch` (`--interval`) in milliseconds; nil if this option is not given.
    var interval: Milliseconds?

    /// Returns the format of the output. By default, a terminal shows tables and items, and a pipe gets JSON lines.
    ///
    /// - Parameters:
    ///   - isJSON: whether `--json` is given.
    ///   - isSingle: whether the command prints one item instead of a list.
    func format(isJSON: Bool, isSingle: Bool, _ terminal: Terminal) -> OutputFormat {
        if let format { return format }
        if isJSON { return terminal.isTerminal ? .json : .jsonl }
        if isTable || terminal.isTerminal { return isSingle ? .record : .table }
        return .jsonl
    }

    /// Sets `fields` to the columns from the user's settings, followed by the fields of the sort order. Does nothing if
    /// the settings have no columns for the resource, or if the command line has `--fields`.
    ///
    /// - Parameter catalogs: the catalogs in use. A setting for `CATALOG/RESOURCE` has precedence.
    mutating func useColumns(of resource: String, in catalogs: [FilePath]) {
        var names: [String] = []
        for catalog in catalogs {
            names.append("\(catalog.description)/\(resource)")
            guard let name = CatalogSet.name(of: catalog) else { continue }
            names.append("\(name)/\(resource)")
            // With several catalogs, the name of the catalog precedes the name of the resource.
            if resource.hasPrefix("\(name).") { names.append("\(name)/\(resource.dropFirst(name.count + 1))") }
        }
        names.append(resource)
        guard fields == nil, let found = names.compactMap({ columns[$0] }).first else { return }
        fieldsFile = settings
        fields = found + order.keys.map(\.name).filter { !found.contains($0) }
    }

    /// Splits a comma-separated list of field names. Returns nil for a list with an empty name.
    static func names(_ list: String) -> [String]? {
        let names = list.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let begun = part.drop { $0 == " " }
            return String(begun.reversed().drop { $0 == " " }.reversed())
        }
        return names.contains("") ? nil : names
    }
}
