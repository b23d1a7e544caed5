import CatalogTools
import DataSources
import Model
import RPCServer
import System

/// The parser of the command line. Options may come before, between and after the other arguments. `--name=value` and
/// `--name value` are equivalent. All arguments after `--` are positional.
struct CommandLineParser {
    private static let questions = ["--help", "--version"]

    private var options = CommandOptions()
    private var given: [GivenOption] = []
    private var words: [String] = []

    /// Parses the arguments, without the program's name.
    ///
    /// - Throws: `UsageError` for an invalid command line.
    static func parse(_ arguments: [Argument]) throws(UsageError) -> Command {
        // The completion scripts pass incomplete command lines to `complete`, so an incomplete line must not be an
        // error here.
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

    /// Whether the argument is a number. A negative number such as `-1` is a value, not an option.
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
            guard TerminalCommand.allCases.contains(where: { $0.name.rawValue == words.first }) else { throw error }
            throw UsageError(message: error.message + "; put an id or text that starts with '-' after '--'")
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
            throw UsageError(message: "--record and --replay cannot be used together")
        }
        // `check` builds the table of all commands. A server without command-specific options does not need the table.
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
            guard words.count <= 2 else { throw UsageError(message: "check takes one file: unexpected '\(words[2])'") }
            return .check(words.dropFirst().first.map { FilePath($0) }, options)
        case .doctor:
            guard words.count == 1 else {
                throw UsageError(message: "doctor takes no arguments: unexpected '\(words[1])'")
            }
            return .doctor(options)
        case .completions: return .show(try completions())
        case .help: return try help()
        case .mcpConfig:
            guard words.count == 2 else {
                throw UsageError(message: "mcp config takes no arguments: unexpected '\(words[2])'")
            }
            return .mcpConfig(given, options)
        case .mcpBundle:
            guard words.count <= 3 else {
                throw UsageError(message: "mcp bundle takes one file: unexpected '\(words[3])'")
            }
            return .mcpBundle(words.dropFirst(2).first.map { FilePath($0) }, given, options)
        }
    }

    /// Returns the error for arguments that do not start with a command's full name.
    private func unknownCommand() -> UsageError {
        let group = words[0]
        let known = CommandName.members(of: group).map(\.member)
        if known.isEmpty { return unknown("command", group, CommandDefinition.groups) }
        if words.count > 1 { return unknown("\(group) command", words[1], known) }
        if group == CommandName.mcpConfig.group {
            return UsageError(message: "mcp needs 'config' or 'bundle'; to serve MCP, run larder without a command")
        }
        return UsageError(message: "\(group) needs one of \(known.joined(separator: ", "))")
    }

    private func people(_ command: TerminalCommand) throws(UsageError) -> Command {
        .people(try TerminalRequest(command, words), options)
    }

    /// Returns the completion script for the shell that the second argument names.
    private func completions() throws(UsageError) -> String {
        let known = CompletionScript.names
        guard words.count >= 2 else {
            throw UsageError(message: "completions needs one of \(known.joined(separator: ", "))")
        }
        guard let script = CompletionScript.text(for: words[1]) else { throw unknown("shell", words[1], known) }
        guard words.count == 2 else {
            throw UsageError(message: "completions takes one shell: unexpected '\(words[2])'")
        }
        return script
    }

    /// Checks that the command accepts the given command-specific options, and that the options can be combined. Does
    /// nothing for an unknown command, which another function reports.
    private func check(_ names: [String]) throws(UsageError) {
        let command = CommandDefinition.named(by: words)
        guard command != nil || words.isEmpty else { return }
        for name in names where command?.options.contains(name) != true {
            let known = CommandDefinition.all.filter { $0.options.contains(name) }.map { "'\($0.name)'" }
            let use = command.map { "with '\($0.name)'" } ?? "without a command"
            throw UsageError(message: "\(name) cannot be used \(use): it is for \(known.joined(separator: ", "))")
        }
        if names.contains("--table"), names.contains("--json") {
            throw UsageError(message: "--json and --table cannot be used together")
        }
        if names.contains("--with"), !names.contains("--live") {
            throw UsageError(message: "--with needs --live: it sets values for the live check")
        }
    }

    /// Returns the command that prints the help for the command or topic in the arguments. Without arguments, it prints
    /// the overview.
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
        guard words.count == 2 else {
            throw UsageError(message: "cache \(action.rawValue) takes no arguments: unexpected '\(words[2])'")
        }
        guard options.isPersistent else {
            throw UsageError(message: "cache \(action.rawValue) needs the cache file: remove --no-persistence")
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
        let locations = action == .infer || action == .document ? rest.map { DocumentLocation($0) } : []
        let hasURL = locations.contains { if case .url = $0 { true } else { false } }
        if rest.count == 2, options.graphQLType != nil {
            throw UsageError(message: "--graphql cannot be used with two answers: it reads the schema of an endpoint")
        }
        if locations == [.standardInput, .standardInput] {
            throw UsageError(message: "only one of the two answers can be '-': standard input can be read only once")
        }
        if hasURL, let name = others.first {
            throw UsageError(message: "\(words[0]) \(words[1]) does not accept \(name) with a URL: it sends a request")
        }
        var options = options
        if action == .document, let names = options.people.fields {
            let fields = names.count == 1 ? CatalogImportChoice.Fields(rawValue: names[0]) : nil
            guard let fields else { throw UsageError(message: "--fields must be none or all with 'catalog import'") }
            options.choice.fields = fields
        }
        return .catalog(action, rest, options)
    }

    private func unknown(_ what: String, _ name: String, _ known: [String]) -> UsageError {
        let hint = Suggestion.nearest(to: name, in: known).map { "did you mean '\($0)'?" } ?? "see larder --help"
        return UsageError(message: "unknown \(what) '\(Userinfo.hide(in: name))'; \(hint)")
    }
}

/// A parsed command line.
enum Command: Equatable {
    /// Serves requests on stdin and stdout.
    case serve(CommandOptions)
    /// Sends one request and prints its result.
    case call(method: String, arguments: [String], CommandOptions)
    /// Runs `get`, `list`, `search` or `prefetch`.
    case people(TerminalRequest, CommandOptions)
    /// Checks the catalog at the path; nil for the catalog that larder would serve.
    case check(FilePath?, CommandOptions)
    /// Runs a subcommand of `catalog` with its arguments.
    case catalog(CatalogAction, [String], CommandOptions)
    /// Runs a subcommand of `cache`.
    case cache(CacheAction, CommandOptions)
    /// Checks everything that Larder needs, such as the cache file and the network.
    case doctor(CommandOptions)
    /// Prints the configuration with which an MCP host starts Larder, including these options.
    case mcpConfig([GivenOption], CommandOptions)
    /// Writes an MCP bundle that starts Larder with these options.
    case mcpBundle(FilePath?, [GivenOption], CommandOptions)
    case help
    /// Prints a text, such as a topic of the help or a completion script.
    case show(String)
    case version
    /// Prints the completions for the last of these arguments.
    case complete([String])
}

/// A subcommand of `larder cache`.
enum CacheAction: String, CaseIterable {
    /// Prints the result of `cache/stats`.
    case stats
    /// Removes all entries from the cache and prints their number.
    case clear
    /// Prints the path of the cache file.
    case path

    static var names: [String] { allCases.map(\.rawValue) }
}

/// An option with a valid value, as the user wrote it on the command line.
struct GivenOption: Equatable {
    let name: String
    /// The option's value; nil for an option that takes no value.
    let value: Argument?
}

/// An invalid command line. The exit code is 64 (EX_USAGE).
struct UsageError: Error, Equatable {
    let message: String
}

/// One argument of the command line, as bytes. The bytes need not be UTF-8, because a file name may contain any bytes.
struct Argument: Equatable {
    private let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The arguments of this process, without the program's name.
    static var ofProcess: [Argument] { ProcessArguments.all.dropFirst().map { Argument($0) } }

    /// The argument as text; nil if it is not UTF-8.
    var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The argument as text for messages. U+FFFD replaces each byte that is not UTF-8.
    var shown: String { String(decoding: bytes, as: UTF8.self) }

    /// The argument as the path of a file.
    var path: FilePath { FilePath(bytes) }

    /// The name before the first `=` and the value after it; the value is nil if there is no `=`.
    var parts: (name: String, value: Argument?) {
        guard let place = bytes.firstIndex(of: UInt8(ascii: "=")) else { return (shown, nil) }
        return (Argument(bytes[..<place]).shown, Argument(bytes[(place + 1)...]))
    }
}
