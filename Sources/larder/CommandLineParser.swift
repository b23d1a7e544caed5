import DataSources
import Model
import RPCServer
import System

/// Reads the command line. Options may stand anywhere; `--name=value` and `--name value` are the same; after `--`
/// nothing is an option.
struct CommandLineParser {
    private static let questions = ["--help", "--version"]

    private var options = CommandOptions()
    private var given: [GivenOption] = []
    private var words: [String] = []

    /// The command of some arguments, the program's name not among them.
    ///
    /// - Throws: `UsageError` with a hint.
    static func parse(_ arguments: [Argument]) throws(UsageError) -> Command {
        // What is being typed has no faults: a script of a shell asks with each key.
        if arguments.first?.shown == "complete" {
            return .complete(arguments.dropFirst(arguments.dropFirst().first?.shown == "--" ? 2 : 1).map(\.shown))
        }
        var parser = CommandLineParser()
        return try parser.parse(arguments)
    }

    private mutating func parse(_ arguments: [Argument]) throws(UsageError) -> Command {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let shown = argument.shown
            switch shown {
            case "--":
                for argument in rest { words.append(try text(argument)) }
                rest = []
            case "--help", "-h": return try help(about: words)
            case "--version": return .version
            case _ where shown.hasPrefix("-") && shown.count > 1 && !isNumber(shown):
                try parseOption(argument, &rest)
            default: words.append(try text(argument))
            }
        }
        return try command()
    }

    /// `-1` is a value, not an option.
    private func isNumber(_ argument: String) -> Bool { Double(argument) != nil }

    private func text(_ argument: Argument) throws(UsageError) -> String {
        if let text = argument.text { return text }
        throw UsageError(message: "'\(argument.shown)' is not UTF-8")
    }

    private mutating func parseOption(
        _ argument: Argument, _ rest: inout ArraySlice<Argument>
    ) throws(UsageError) {
        let (name, given) = argument.parts
        guard let option = OptionDefinition.all.first(where: { $0.name == name }) else {
            if Self.questions.contains(name) { throw UsageError(message: "\(name) takes no value") }
            let error = unknown("option", name, OptionDefinition.all.map(\.name) + Self.questions)
            guard PeopleCommand.allCases.contains(where: { $0.name.rawValue == words.first }) else { throw error }
            throw UsageError(message: error.message + "; an id or a text that begins with '-' stands behind '--'")
        }
        guard option.argument != nil else {
            guard given == nil else { throw UsageError(message: "\(option.name) takes no value") }
            _ = option.apply(&options, Argument([]))
            self.given.append(GivenOption(name: option.name, value: nil))
            return
        }
        let isNext = given == nil && rest.first?.shown.hasPrefix("--") == false
        guard let value = given ?? (isNext ? rest.popFirst() : nil) else {
            throw UsageError(message: "\(option.name) needs a value: \(option.expected)")
        }
        guard option.apply(&options, value) else {
            let given = Userinfo.hide(in: value.shown)
            throw UsageError(message: "\(option.name) must be \(option.expected), not '\(given)'")
        }
        self.given.append(GivenOption(name: option.name, value: value))
    }

    private func command() throws(UsageError) -> Command {
        if options.record != nil, options.replay != nil {
            throw UsageError(message: "--record and --replay exclude each other")
        }
        // A server, which takes no option of a command, does not wait for the table of commands to be made.
        let ofCommand = OptionDefinition.all.filter { $0.kind == .ofCommand }.map(\.name)
        let own = given.map(\.name).filter { ofCommand.contains($0) }
        if !own.isEmpty { try check(own) }
        if words.isEmpty { return .serve(options) }
        guard let name = CommandName(leading: words) else { throw unknownCommand() }
        switch name {
        case .get: return try people(.get)
        case .list: return try people(.list)
        case .search: return try people(.search)
        case .prefetch: return try people(.prefetch)
        case .call:
            guard words.count >= 2 else {
                throw UsageError(message: "call needs a method: larder call METHOD [key=value | JSON]")
            }
            return .call(method: words[1], arguments: Array(words[2...]), options)
        case .cache: return .cache(try cacheAction(), options)
        case .catalogShow: return try catalog(.show)
        case .catalogInfer: return try catalog(.infer)
        case .catalogImport: return try catalog(.document)
        case .catalogTypes: return try catalog(.types)
        case .catalogSchema: return try catalog(.schema)
        case .check:
            guard words.count <= 2 else { throw UsageError(message: "check takes one file, not '\(words[2])' too") }
            return .check(words.dropFirst().first.map { FilePath($0) }, options)
        case .doctor:
            guard words.count == 1 else { throw UsageError(message: "doctor takes no '\(words[1])'") }
            return .doctor(options)
        case .completions: return .show(try completions())
        case .help: return try help()
        case .mcpConfig:
            guard words.count == 2 else { throw UsageError(message: "mcp config takes no '\(words[2])'") }
            return .mcpConfig(given, options)
        }
    }

    /// Why the words begin with no command: a group without the command in it, or an unknown name.
    private func unknownCommand() -> UsageError {
        let group = words[0]
        let known = CommandName.members(of: group).map(\.member)
        if known.isEmpty { return unknown("command", group, CommandDefinition.groups) }
        if words.count > 1 { return unknown("\(group) command", words[1], known) }
        if group == CommandName.mcpConfig.group {
            return UsageError(message: "mcp needs 'config'; to serve MCP, call larder without a command")
        }
        return UsageError(message: "\(group) needs one of \(known.joined(separator: ", "))")
    }

    private func people(_ command: PeopleCommand) throws(UsageError) -> Command {
        .people(try PeopleRequest(command, words), options)
    }

    /// The script of a shell.
    private func completions() throws(UsageError) -> String {
        let known = CompletionScript.names
        guard words.count >= 2 else {
            throw UsageError(message: "completions needs one of \(known.joined(separator: ", "))")
        }
        guard let script = CompletionScript.text(for: words[1]) else { throw unknown("shell", words[1], known) }
        guard words.count == 2 else { throw UsageError(message: "completions \(words[1]) takes no '\(words[2])'") }
        return script
    }

    /// Whether the options of single commands that were given go with this one, and with each other. Of a command that
    /// there is not, something else is told.
    private func check(_ names: [String]) throws(UsageError) {
        let command = CommandDefinition.named(by: words)
        guard command != nil || words.isEmpty else { return }
        for name in names where command?.options.contains(name) != true {
            let known = CommandDefinition.all.filter { $0.options.contains(name) }.map { "'\($0.name)'" }
            let command = command.map { "'\($0.name)'" } ?? "none"
            throw UsageError(message: "\(name) goes with \(known.joined(separator: ", ")), not with \(command)")
        }
        if names.contains("--table"), names.contains("--json") {
            throw UsageError(message: "--json and --table exclude each other")
        }
        if names.contains("--with"), !names.contains("--live") {
            throw UsageError(message: "--with goes with --live: it says what that asks for")
        }
    }

    /// What `--help` tells behind some words: the help of the command that they begin with.
    private func help(about words: [String]) throws(UsageError) -> Command {
        guard let name = words.first else { return .help }
        let topic = CommandDefinition.named(by: words).flatMap { HelpTopic.find([$0.name]) } ?? HelpTopic.find([name])
        if let topic { return .show(HelpText.text(of: topic)) }
        throw unknown("command", name, CommandDefinition.groups)
    }

    private func help() throws(UsageError) -> Command {
        let words = Array(words.dropFirst())
        if words.isEmpty { return .help }
        if words == [ManualPage.topic] { return .show(ManualPage.text) }
        if let topic = HelpTopic.find(words) { return .show(HelpText.text(of: topic)) }
        throw unknown("topic", words.joined(separator: " "), HelpTopic.names)
    }

    private func cacheAction() throws(UsageError) -> CacheAction {
        let known = CacheAction.names
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

    private func catalog(_ action: CatalogAction) throws(UsageError) -> Command {
        let rest = Array(words[2...])
        let (range, expected) = action.words
        guard range.contains(rest.count) else {
            throw UsageError(message: "\(words[0]) \(words[1]) takes \(expected)")
        }
        let others = given.map(\.name).filter { ["--offline", "--replay", "--record"].contains($0) }
        if action == .infer, let name = others.first {
            throw UsageError(message: "catalog infer asks the API itself, and takes no \(name)")
        }
        return .catalog(action, rest, options)
    }

    private func unknown(_ what: String, _ name: String, _ known: [String]) -> UsageError {
        let hint = Suggestion.nearest(to: name, in: known).map { "did you mean '\($0)'?" } ?? "see larder --help"
        return UsageError(message: "unknown \(what) '\(Userinfo.hide(in: name))'; \(hint)")
    }
}

/// What the program was called for.
enum Command: Equatable {
    /// Serve on stdin and stdout.
    case serve(CommandOptions)
    /// One request; its result on stdout.
    case call(method: String, arguments: [String], CommandOptions)
    /// What a person asks of a resource.
    case people(PeopleRequest, CommandOptions)
    /// What is wrong with a catalog; the one that would be served where no file is named.
    case check(FilePath?, CommandOptions)
    /// Something with catalogs, and the words behind it.
    case catalog(CatalogAction, [String], CommandOptions)
    /// Something about the cache file.
    case cache(CacheAction, CommandOptions)
    /// What is wrong with all that Larder needs, and what to do about it.
    case doctor(CommandOptions)
    /// What a host of MCP is told, so that it starts Larder with these options.
    case mcpConfig([GivenOption], CommandOptions)
    case help
    /// A text that is known already: a topic of the help, a script.
    case show(String)
    case version
    /// What may follow in a command line, the last word of which is being typed.
    case complete([String])
}

/// What `larder cache` does.
enum CacheAction: String, CaseIterable {
    /// Prints what `cache/stats` answers.
    case stats
    /// Removes everything, and prints how many entries that were.
    case clear
    /// Prints where the file is.
    case path

    static var names: [String] { allCases.map(\.rawValue) }
}

/// An option as it stands on the command line, after it was found to be right.
struct GivenOption: Equatable {
    let name: String
    /// nil for an option without a value.
    let value: Argument?
}

/// A command line that cannot be followed. The exit code is 64 (EX_USAGE).
struct UsageError: Error, Equatable {
    let message: String
}

/// One argument of the command line: a text, or the name of a file, which need not be UTF-8.
struct Argument: Equatable {
    private let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Those of this process, without its own name.
    static var ofProcess: [Argument] { ProcessArguments.all.dropFirst().map { Argument($0) } }

    /// As a text; nil where it is not UTF-8.
    var text: String? { String(validating: bytes, as: UTF8.self) }

    /// For a person: what is not UTF-8 is replaced by U+FFFD.
    var shown: String { String(decoding: bytes, as: UTF8.self) }

    /// As the name of a file.
    var path: FilePath { FilePath(bytes) }

    /// What stands before the first `=`, and behind it; nil where there is none.
    var parts: (name: String, value: Argument?) {
        guard let place = bytes.firstIndex(of: UInt8(ascii: "=")) else { return (shown, nil) }
        return (Argument(bytes[..<place]).shown, Argument(bytes[(place + 1)...]))
    }
}
