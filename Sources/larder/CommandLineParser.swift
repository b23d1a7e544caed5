import Catalog
import CatalogTools
import DataSources
import Model
import RPCServer
import System

/// Parses the command line. Options may come before, between and after the positional arguments. `--name=value` and
/// `--name value` are equivalent. All arguments after `--` are positional.
struct CommandLineParser {
    private static let questions = ["--help", "--version"]

    private(set) var options: CommandOptions
    private(set) var given: [GivenOption] = []
    private(set) var words: [String] = []
    /// The resource that the requested help describes; nil if the user has not requested help on a resource.
    private var helpSubject: String?

    /// Parses the arguments, without the name of the program.
    ///
    /// - Parameter defaults: the initial options, which the arguments can change.
    /// - Throws: `UsageError` for an invalid command line.
    static func parse(
        _ arguments: [Argument], defaults: CommandOptions = CommandOptions()
    ) throws(UsageError) -> Command {
        // The completion scripts pass incomplete command lines to `complete`, so an incomplete line must not be an
        // error here.
        if arguments.first?.shown == "complete" {
            return .complete(arguments.dropFirst(arguments.dropFirst().first?.shown == "--" ? 2 : 1).map(\.shown))
        }
        var parser = CommandLineParser(options: defaults)
        return try parser.parse(arguments)
    }

    private init(options: CommandOptions) { self.options = options }

    private mutating func parse(_ arguments: [Argument]) throws(UsageError) -> Command {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let shown = argument.shown
            switch shown {
            case "--":
                for argument in rest { words.append(try text(argument)) }
                rest = []
            case "--help", "-h":
                guard let command = CommandName(leading: words), command.takesResource,
                    let resource = words.dropFirst(command.words.count).first
                else { return try help(about: words) }
                helpSubject = resource
            case "--version", "-V": return .version
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

    mutating func parseOption(
        _ argument: Argument, _ rest: inout ArraySlice<Argument>
    ) throws(UsageError) {
        let (name, given) = argument.optionParts
        guard let option = OptionDefinition.all.first(where: { $0.name == name }) else {
            if Self.questions.contains(name) { throw UsageError(message: "\(name) takes no value; remove the value") }
            // Without a command, all options are known.
            let own = CommandDefinition.named(by: words)?.options
            let accepted = OptionDefinition.all.filter { $0.kind != .ofCommand || own?.contains($0.name) != false }
            let known = accepted.map(\.name) + Self.questions
            let error = unknown("option", name, known)
            guard let command = CommandName(leading: words), command.takesResource else { throw error }
            guard name.hasPrefix("--") else {
                throw UsageError(message: error.message + "; put an id or text that starts with '-' after '--'")
            }
            throw unknownOption(name, known, given, of: command, &rest)
        }
        guard option.argument != nil else {
            guard given == nil else { throw UsageError(message: "\(option.name) takes no value; remove the value") }
            _ = option.apply(&options, Argument([]))
            self.given.append(GivenOption(name: option.name, value: nil))
            return
        }
        let isNext = given == nil && rest.first?.shown.hasPrefix("--") == false
        guard let value = given ?? (isNext ? rest.popFirst() : nil) else {
            throw UsageError(message: "\(option.name) needs a value: \(option.expected)")
        }
        guard option.apply(&options, value) else {
            throw UsageError(message: option.refusal(of: Userinfo.hide(in: value.shown)))
        }
        self.given.append(GivenOption(name: option.name, value: value))
    }

    private func command() throws(UsageError) -> Command {
        if options.record != nil, options.replay != nil {
            throw UsageError(message: "--record and --replay cannot be used together; remove one of them")
        }
        // `check` builds the table of all commands. A server without command-specific options does not need the table.
        let ofCommand = OptionDefinition.all.filter { $0.kind == .ofCommand }.map(\.name)
        let own = given.map(\.name).filter { ofCommand.contains($0) }
        if !own.isEmpty { try check(own) }
        if let helpSubject { return .resourceHelp(helpSubject, options) }
        if words.isEmpty { return .serve(options) }
        guard let name = CommandName(leading: words) else { throw unknownCommand() }
        switch name {
        case .get: return try people(.get)
        case .list where words.count == 1: return .resources(options)
        case .list: return try people(.list)
        case .search: return try people(.search)
        case .prefetch: return try people(.prefetch)
        case .sync: return words.count == 1 ? .syncAll(options) : try people(.sync)
        case .sql: return .sql(try SQLRequest(words), options)
        case .watch: return .watch(try TerminalRequest(.get, words, as: .watch, in: options.catalogs), options)
        case .watchList:
            let rest = Array(words.dropFirst())
            return .watch(try TerminalRequest(.list, rest, as: .watchList, in: options.catalogs), options)
        case .open: return .open(try TerminalRequest(.get, words, as: .open, in: options.catalogs), options)
        case .resources:
            guard words.count == 1 else {
                throw UsageError(message: "'larder resources' takes no arguments; remove '\(words[1])'")
            }
            return .resources(options)
        case .call:
            guard words.count >= 2 else {
                throw UsageError(message: "'larder call' needs a method: larder call METHOD [key=value | JSON]")
            }
            return .call(method: words[1], arguments: Array(words[2...]), options)
        case .add:
            if words.count == 2, ShippedCatalog.named(words[1]) != nil {
                throw UsageError(message: "'\(words[1])' is shipped with larder: use it with --catalog \(words[1])")
            }
            guard words.count == 3 else {
                throw UsageError(message: "'larder add' needs a name and a place: larder add NAME URL|FILE")
            }
            guard words[2] != "-" else { throw UsageError(message: "'larder add' needs a URL or a file, not '-'") }
            return .add(name: words[1], source: words[2], try importing(options))
        case .remove:
            guard words.count == 2 else { throw UsageError(message: "'larder remove' needs the name of a catalog") }
            return .remove(words[1])
        case .catalogs:
            guard words.count == 1 else {
                throw UsageError(message: "'larder catalogs' takes no arguments; remove '\(words[1])'")
            }
            return .catalogs(options)
        case .cache: return .cache(try cacheAction(), resource: words.dropFirst(2).first, options)
        case .cacheExport:
            guard words.count == 3, !words[2].isEmpty else {
                throw UsageError(message: "'larder cache export' needs a file: larder cache export FILE.sqlite")
            }
            try checkPersistence(of: name.rawValue)
            return .export(FilePath(words[2]), options)
        case .catalogShow: return try catalog(.show)
        case .catalogInfer: return try catalog(.infer)
        case .catalogImport: return try catalog(.document)
        case .catalogTypes: return try catalog(.types)
        case .catalogSchema: return try catalog(.schema)
        case .check:
            guard words.count <= 2 else {
                throw UsageError(message: "'larder check' takes one file; remove '\(words[2])'")
            }
            return .check(words.dropFirst().first.map { FilePath($0) }, options)
        case .doctor:
            guard words.count == 1 else {
                throw UsageError(message: "'larder doctor' takes no arguments; remove '\(words[1])'")
            }
            return .doctor(options)
        case .completions: return .show(try completions())
        case .help: return try help()
        case .mcpConfig:
            guard words.count == 2 else {
                throw UsageError(message: "'larder mcp config' takes no arguments; remove '\(words[2])'")
            }
            return .mcpConfig(given, options)
        case .mcpBundle:
            guard words.count <= 3 else {
                throw UsageError(message: "'larder mcp bundle' takes one file; remove '\(words[3])'")
            }
            return .mcpBundle(words.dropFirst(2).first.map { FilePath($0) }, given, options)
        }
    }

    /// Returns the error for an unknown command, or for a command whose second word is missing or unknown.
    private func unknownCommand() -> UsageError {
        let group = words[0]
        let known = CommandName.members(of: group).map(\.member)
        if group == "ls" { return UsageError(message: "unknown command 'ls'; did you mean 'list'?") }
        if known.isEmpty { return unknown("command", group, CommandDefinition.groups) }
        if words.count > 1 { return unknown("\(group) command", words[1], known) }
        if group == CommandName.mcpConfig.group {
            return UsageError(
                message: "'larder mcp' needs 'config' or 'bundle'; to serve MCP, run larder without a command")
        }
        return UsageError(message: "'larder \(group)' needs one of \(known.joined(separator: ", "))")
    }

    private func people(_ command: TerminalCommand) throws(UsageError) -> Command {
        .people(try TerminalRequest(command, words, in: options.catalogs), options)
    }

    /// Returns the completion script for the shell that the second argument names.
    private func completions() throws(UsageError) -> String {
        let known = CompletionScript.names
        guard words.count >= 2 else {
            throw UsageError(message: "'larder completions' needs one of \(known.joined(separator: ", "))")
        }
        guard let script = CompletionScript.text(for: words[1]) else { throw unknown("shell", words[1], known) }
        guard words.count == 2 else {
            throw UsageError(message: "'larder completions' takes one shell; remove '\(words[2])'")
        }
        return script
    }

    /// Checks that the command accepts the given options, and that the options can be combined. Does nothing for an
    /// unknown command.
    private func check(_ names: [String]) throws(UsageError) {
        let command = CommandDefinition.named(by: words)
        guard command != nil || words.isEmpty else { return }
        for name in names where command?.options.contains(name) != true {
            let known = CommandDefinition.all.filter { $0.options.contains(name) }.map { "'\($0.name)'" }
            let use = command.map { "with '\($0.name)'" } ?? "without a command"
            throw UsageError(
                message:
                    "\(name) cannot be used \(use); remove the option, or use it with \(known.joined(separator: ", "))")
        }
        if let output = options.people.format, let refusal = output.refusal(for: command?.command) {
            throw UsageError(message: refusal)
        }
        let formats = ["--json", "--table", "--output"].filter { names.contains($0) }
        if formats.count > 1 {
            throw UsageError(message: "\(formats[0]) and \(formats[1]) cannot be used together; remove one of them")
        }
        if names.contains("--into"), let format = formats.first {
            throw UsageError(
                message: "--into and \(format) cannot be used together, because --into writes a table; remove one")
        }
        if names.contains("--into"), command?.command == .sql, words.count < 2 { throw SQLRequest.missingQuery }
        if names.contains("--into-table"), !names.contains("--into") {
            throw UsageError(message: "--into-table needs the file of the table; add --into FILE.sqlite")
        }
        let isAdd = command?.command == .add
        if names.contains("--with"), !isAdd, !names.contains("--live") {
            throw UsageError(message: "--with needs --live, because --with sets values for the live check; add --live")
        }
        if names.contains("--fix"), !names.contains("--live") || words.count != 2 {
            throw UsageError(message: "--fix needs --live and the catalog to mend: larder check FILE --live --fix")
        }
    }

    /// Returns the command that prints help about a command or topic. If `words` is empty, the returned command prints
    /// the overview.
    private func help(about words: [String]) throws(UsageError) -> Command {
        guard let name = words.first else { return .help }
        let topic = CommandDefinition.named(by: words).flatMap { HelpTopic.find([$0.name]) } ?? HelpTopic.find([name])
        if let topic { return .topic(topic.name) }
        throw unknown("command", name, CommandDefinition.groups)
    }

    private func help() throws(UsageError) -> Command {
        let words = Array(words.dropFirst())
        if words.isEmpty { return .help }
        if words == [ManualPage.topic] { return .show(ManualPage.text) }
        if let topic = HelpTopic.find(words) { return .topic(topic.name) }
        if words.count == 1 { return .resourceHelp(words[0], options) }
        throw unknown("topic", words.joined(separator: " "), HelpTopic.names)
    }

    private func cacheAction() throws(UsageError) -> CacheAction {
        let known = CacheAction.names
        guard words.count >= 2 else {
            throw UsageError(message: "'larder cache' needs one of \(known.joined(separator: ", "))")
        }
        guard let action = CacheAction(rawValue: words[1]) else { throw unknown("cache command", words[1], known) }
        guard words.count == 2 || action == .clear && words.count == 3 else {
            if action == .clear {
                throw UsageError(message: "'larder cache clear' takes one resource; remove '\(words[3])'")
            }
            throw UsageError(message: "'larder cache \(action.rawValue)' takes no arguments; remove '\(words[2])'")
        }
        try checkPersistence(of: "cache \(action.rawValue)")
        return action
    }

    private func checkPersistence(of command: String) throws(UsageError) {
        if options.isPersistent { return }
        throw UsageError(message: "'larder \(command)' needs the cache file: remove --no-persistence")
    }
}
