/// The commands that show the answer of one resource. Each calls the method of its name.
enum PeopleCommand: CaseIterable, Sendable {
    case get, list, search, prefetch

    var name: CommandName {
        switch self {
        case .get: .get
        case .list: .list
        case .search: .search
        case .prefetch: .prefetch
        }
    }

    /// The method of a resource that this command calls, such as `book/get`.
    func method(of resource: String) -> String { resource + suffix }

    /// Whether a method is the one that this command calls, of any resource.
    func isMethod(_ method: String) -> Bool { method.hasSuffix(suffix) }

    private var suffix: String { "/" + name.rawValue }

    /// How it is used, for messages.
    var usage: String {
        switch self {
        case .get: "larder get RESOURCE ID [name=value ...]"
        case .list: "larder list RESOURCE [filter=value ...] [--page P] [--limit N] [--all]"
        case .search: "larder search RESOURCE TEXT [field=value ...] [--limit N] [--all]"
        case .prefetch: "larder prefetch RESOURCE [filter=value ...]"
        }
    }
}

/// What a person asks of a resource, before the catalog was looked at.
struct PeopleRequest: Equatable, Sendable {
    let command: PeopleCommand
    let resource: String
    /// What stands behind the resource: an id, a text, `name=value`.
    let words: [String]

    /// - Parameter words: all words of the command line.
    /// - Throws: `UsageError` where words are missing, or are too many whatever the catalog says.
    init(_ command: PeopleCommand, _ words: [String]) throws(UsageError) {
        let words = Array(words.dropFirst())
        guard let resource = words.first else {
            throw UsageError(message: "\(command.name.rawValue) needs a resource: \(command.usage)")
        }
        self.command = command
        self.resource = resource
        self.words = Array(words.dropFirst())
        let bare = self.words.filter { !$0.utf8.contains(UInt8(ascii: "=")) }
        switch command {
        case .get where self.words.isEmpty:
            throw UsageError(message: "get needs an id: \(command.usage)")
        case .get where bare.count > 1:
            throw UsageError(message: "get takes one id, not '\(bare[1])' too")
        case .list, .prefetch:
            guard let word = bare.first else { break }
            let other = command == .list ? "; to look for a text: larder search \(resource) TEXT" : ""
            throw UsageError(message: "'\(word)' must be name=value\(other)")
        case .get, .search: break
        }
    }
}

/// What the options of these commands say.
struct PeopleOptions: Equatable, Sendable {
    /// Whether there are tables and items to read also where nobody seems to look.
    var isTable = false
    /// The fields that are shown; nil is those that fit.
    var fields: [String]?
    /// How many items at most; nil leaves that to the method.
    var limit: Int?
    /// Which page; nil is the first.
    var page: String?
    /// Whether it goes on until there is no more.
    var isAll = false

    /// The names of fields in a list of them; nil where one is empty.
    static func names(_ list: String) -> [String]? {
        let names = list.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let begun = part.drop { $0 == " " }
            return String(begun.reversed().drop { $0 == " " }.reversed())
        }
        return names.contains("") ? nil : names
    }
}
