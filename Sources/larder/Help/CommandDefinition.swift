/// One command of the command line. The parser's names, the help, the man page and the completions come from these.
struct CommandDefinition: Sendable {
    /// nil for the server, which has no name.
    let command: CommandName?
    /// The ways to call it: the words behind its name, and what that does, in a line.
    let usages: [Usage]
    /// The words behind its name, in their order; the last one's kind goes for all that follow.
    let words: [Word]
    /// The names of the options that it alone takes, or some other command too.
    let options: [String]
    /// What else there is to know, a paragraph each.
    let details: [String]
    let examples: [Example]

    init(
        _ command: CommandName?, _ usages: [Usage], words: [Word] = [], options: [String] = [], details: [String] = [],
        examples: [Example] = []
    ) {
        self.command = command
        self.usages = usages
        self.words = words
        self.options = options
        self.details = details
        self.examples = examples
    }

    /// A way to call a command.
    struct Usage: Sendable {
        /// What stands behind the command's name; empty for nothing.
        let words: String
        let help: String

        init(_ words: String, _ help: String) {
            self.words = words
            self.help = help
        }

        /// The whole command line.
        func line(of command: CommandDefinition) -> String {
            words.isEmpty ? command.line : "\(command.line) \(words)"
        }
    }

    /// A command line as somebody may type it, and what comes of it.
    struct Example: Sendable {
        let line: String
        let help: String

        init(_ line: String, _ help: String) {
            self.line = line
            self.help = help
        }
    }

    /// What may stand in a place behind a command's name.
    enum Word: Sendable {
        /// One of a few names.
        case choice([String])
        /// What there is help about.
        case topic
        case method
        /// `key=value` of the method that was named before.
        case param
        /// A resource that can be asked so.
        case resource(Need)
        /// `name=value`: a parent, of which the items are.
        case scope
        /// `name=value`: a parent, or a filter of the list.
        case filter
        /// `name=value`: a parent, or what a field has.
        case field
        case file
        /// A catalog: a file, or the name of one that ships.
        case catalog
        /// What only its user knows: an id, a text, a URL.
        case text
    }

    /// What a resource must be good for.
    enum Need: Sendable { case get, list, search }

    /// With the name of its group if it has one: `catalog show`. Empty for the server.
    var name: String { command?.rawValue ?? "" }

    /// The first word of its name.
    var group: String { command?.group ?? "" }

    /// A command line without its words: `larder catalog show`.
    var line: String { name.isEmpty ? "larder" : "larder \(name)" }

    /// The command that some words begin with; nil if they begin with no whole name.
    static func named(by words: [String]) -> CommandDefinition? {
        CommandName(leading: words).flatMap { name in all.first { $0.command == name } }
    }

    /// The names of all commands and groups of commands, each once, in the order of the help.
    static let groups: [String] = all.reduce(into: []) { groups, command in
        if !command.name.isEmpty, groups.last != command.group { groups.append(command.group) }
    }
}
