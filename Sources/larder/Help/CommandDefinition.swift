/// The definition of one command, for the parser, the help, the man page and the completions.
struct CommandDefinition: Sendable {
    /// The name of the command; nil for the server, which runs without a command.
    let command: CommandName?
    /// The usages of the command. Each usage has different arguments.
    let usages: [Usage]
    /// The kinds of the positional arguments, in order. The last kind also applies to all further arguments.
    let words: [Word]
    /// The names of the command-specific options that this command accepts.
    let options: [String]
    /// The paragraphs about the command in `larder help` and in the man page.
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

    /// One usage of a command, with its arguments.
    struct Usage: Sendable {
        /// The arguments in the notation of the help, such as `RESOURCE ID`; empty if there are none.
        let words: String
        /// A one-line description of this usage of the command.
        let help: String

        init(_ words: String, _ help: String) {
            self.words = words
            self.help = help
        }

        /// Returns the usage as a command line with the program's name, such as `larder get RESOURCE ID`.
        func line(of command: CommandDefinition) -> String {
            words.isEmpty ? command.line : "\(command.line) \(words)"
        }
    }

    /// An example command line for the help.
    struct Example: Sendable {
        let line: String
        /// A short description of the example's effect.
        let help: String

        init(_ line: String, _ help: String) {
            self.line = line
            self.help = help
        }
    }

    /// The kind of a positional argument. The kind determines the completions for the argument.
    enum Word: Sendable {
        /// One of the associated names, such as the name of a shell.
        case choice([String])
        /// A topic of `larder help`.
        case topic
        case method
        /// A `key=value` argument for a parameter of a method. The command's first argument names the method.
        case param
        /// The name of a resource. The resource must support the associated operation.
        case resource(Need)
        /// The optional resource argument of `cache clear`.
        case clearedResource
        /// A `name=value` argument for a scope value.
        case scope
        /// A `name=value` argument for a scope value or for a filter of the list.
        case filter
        /// A `name=value` argument for a scope value or for a field of the item.
        case field
        case file
        /// The path of a catalog, or the name of a shipped catalog.
        case catalog
        /// The name of a catalog that the user has added.
        case ownCatalog
        /// Free text without completions, such as an id or a URL.
        case text
    }

    /// An operation that a command requires of a resource.
    enum Need: Sendable { case get, list, search }

    /// The command's full name, such as `catalog show`. Empty for the server, which runs without a command.
    var name: String { command?.rawValue ?? "" }

    /// The first word of the command's name, such as `catalog`. Empty for the server, which runs without a command.
    var group: String { command?.group ?? "" }

    /// The command line without arguments, such as `larder catalog show`.
    var line: String { name.isEmpty ? "larder" : "larder \(name)" }

    /// Returns the command whose full name is at the start of the given words; nil if there is no such command.
    static func named(by words: [String]) -> CommandDefinition? {
        CommandName(leading: words).flatMap { name in all.first { $0.command == name } }
    }

    /// The first words of all command names, without duplicates, in the order of the help.
    static let groups: [String] = all.reduce(into: []) { groups, command in
        if !command.name.isEmpty, groups.last != command.group { groups.append(command.group) }
    }
}
