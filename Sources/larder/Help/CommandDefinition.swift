/// One command of the command line. The parser, the help, the man page and the completions read these definitions.
struct CommandDefinition: Sendable {
    /// The command's name; nil for the server, which runs if no command is given.
    let command: CommandName?
    /// The ways to call the command.
    let usages: [Usage]
    /// The kinds of the positional arguments, in order. Further arguments have the kind of the last one.
    let words: [Word]
    /// The names of the command-specific options that the command accepts.
    let options: [String]
    /// Paragraphs for `larder help` and the man page.
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

    /// One way to call a command.
    struct Usage: Sendable {
        /// The arguments in the notation of the help, such as `RESOURCE ID`; may be empty.
        let words: String
        /// What this usage does, in one line.
        let help: String

        init(_ words: String, _ help: String) {
            self.words = words
            self.help = help
        }

        /// Returns the usage with the program's and the command's name: `larder get RESOURCE ID`.
        func line(of command: CommandDefinition) -> String {
            words.isEmpty ? command.line : "\(command.line) \(words)"
        }
    }

    /// An example of a command line.
    struct Example: Sendable {
        let line: String
        /// What the command line does, in a few words.
        let help: String

        init(_ line: String, _ help: String) {
            self.line = line
            self.help = help
        }
    }

    /// The kind of a positional argument. It determines what the completions offer.
    enum Word: Sendable {
        /// One of the given names.
        case choice([String])
        /// A topic of `larder help`.
        case topic
        case method
        /// A `key=value` parameter of the method in the first argument.
        case param
        /// A resource that supports the given operation.
        case resource(Need)
        /// A `name=value` part of the scope.
        case scope
        /// A `name=value` part of the scope or filter of the list.
        case filter
        /// A `name=value` part of the scope or value of a field.
        case field
        case file
        /// A catalog: a file, or the name of a shipped catalog.
        case catalog
        /// Free text that cannot be completed, such as an id or a URL.
        case text
    }

    /// An operation that a resource must support.
    enum Need: Sendable { case get, list, search }

    /// The command's full name, such as `catalog show`; empty for the server.
    var name: String { command?.rawValue ?? "" }

    /// The first word of the name, such as `catalog`; empty for the server.
    var group: String { command?.group ?? "" }

    /// The command line without arguments: `larder catalog show`.
    var line: String { name.isEmpty ? "larder" : "larder \(name)" }

    /// Returns the command whose full name starts the command line; nil if there is none.
    static func named(by words: [String]) -> CommandDefinition? {
        CommandName(leading: words).flatMap { name in all.first { $0.command == name } }
    }

    /// The first words of all command names, without duplicates, in the order of the help.
    static let groups: [String] = all.reduce(into: []) { groups, command in
        if !command.name.isEmpty, groups.last != command.group { groups.append(command.group) }
    }
}
