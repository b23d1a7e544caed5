/// Reads the command line. Options may stand anywhere; `--name=value` and `--name value` are the same; after `--`
/// nothing is an option.
struct CommandLineParser {
    private static let commands = ["call", "cache"]
    private static let questions = ["--help", "--version"]

    private var options = Options()
    private var words: [String] = []

    /// The command of some arguments, the program's name not among them.
    ///
    /// - Throws: `UsageError` with a hint.
    static func parse(_ arguments: [String]) throws(UsageError) -> Command {
        var parser = CommandLineParser()
        return try parser.parse(arguments)
    }

    private mutating func parse(_ arguments: [String]) throws(UsageError) -> Command {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--":
                words += rest
                rest = []
            case "--help", "-h": return .help
            case "--version": return .version
            case _ where argument.hasPrefix("-") && argument.count > 1 && !isNumber(argument):
                try parseOption(argument, &rest)
            default: words.append(argument)
            }
        }
        return try command()
    }

    /// `-1` is a value, not an option.
    private func isNumber(_ argument: String) -> Bool { Double(argument) != nil }

    private mutating func parseOption(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = OptionDefinition.all.first(where: { $0.name == parts[0] }) else {
            if Self.questions.contains(parts[0]) { throw UsageError(message: "\(parts[0]) takes no value") }
            throw unknown("option", parts[0], OptionDefinition.all.map(\.name) + Self.questions)
        }
        guard let expected = option.argument else {
            guard parts.count == 1 else { throw UsageError(message: "\(option.name) takes no value") }
            _ = option.apply(&options, "")
            return
        }
        let isNext = parts.count == 1 && rest.first?.hasPrefix("--") == false
        guard let value = parts.count == 2 ? parts[1] : isNext ? rest.popFirst() : nil else {
            throw UsageError(message: "\(option.name) needs a value: \(expected)")
        }
        guard option.apply(&options, value) else {
            throw UsageError(message: "\(option.name) must be \(expected), not '\(value)'")
        }
    }

    private func command() throws(UsageError) -> Command {
        if options.record != nil, options.replay != nil {
            throw UsageError(message: "--record and --replay exclude each other")
        }
        guard let name = words.first else { return .serve(options) }
        switch name {
        case "call":
            guard words.count >= 2 else {
                throw UsageError(message: "call needs a method: larder call METHOD [key=value | JSON]")
            }
            return .call(method: words[1], arguments: Array(words[2...]), options)
        case "cache": return .cache(try cacheAction(), options)
        default: throw unknown("command", name, Self.commands)
        }
    }

    private func cacheAction() throws(UsageError) -> CacheAction {
        let known = CacheAction.allCases.map(\.rawValue)
        guard words.count >= 2 else {
            throw UsageError(message: "cache needs one of \(known.joined(separator: ", "))")
        }
        guard let action = CacheAction(rawValue: words[1]) else { throw unknown("cache command", words[1], known) }
        guard words.count == 2 else { throw UsageError(message: "cache \(action.rawValue) takes no '\(words[2])'") }
        guard options.isPersistent else {
            throw UsageError(message: "with --no-persistence there is no cache file")
        }
        return action
    }

    private func unknown(_ what: String, _ name: String, _ known: [String]) -> UsageError {
        let hint = Suggestion.nearest(to: name, in: known).map { "did you mean '\($0)'?" } ?? "see larder --help"
        return UsageError(message: "unknown \(what) '\(name)'; \(hint)")
    }
}
