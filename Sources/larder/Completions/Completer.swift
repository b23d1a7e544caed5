import Catalog
import DataSources
import RPCServer
import System

/// `larder complete -- WORDS...`: prints the completions for the last word of an unfinished command line. The
/// completion scripts of the shells run this command.
struct Completer {
    private let line: CompletionLine
    private let environment: Environment

    /// Returns the completions in the format that the completion scripts read, one per line.
    static func text(_ words: [String], _ environment: Environment) -> String {
        Completer(words, environment).candidates.compactMap { $0.line.map { $0 + "\n" } }.joined()
    }

    init(_ words: [String], _ environment: Environment) {
        var defaults = CommandOptions()
        // Faults of the settings are reported by the command itself.
        try? SettingsFile(environment)?.apply(to: &defaults)
        line = CompletionLine(words, home: environment.path("HOME"), defaults: defaults)
        self.environment = environment
    }

    /// The completions that start with the typed part of the word at the cursor.
    var candidates: [CompletionCandidate] {
        all.filter { candidate in
            if case .word(let word, _) = candidate { word.hasPrefix(line.current) } else { true }
        }
    }

    private var subject: CompletionSubject { CompletionSubject(reference?.options ?? line.options, environment) }

    private var all: [CompletionCandidate] {
        if let option = line.option { return values(of: option, before: "", line.current) }
        guard !line.isLiteral, line.current.hasPrefix("-") else { return ofCommand }
        let (name, value) = Argument(line.current.utf8).parts
        guard let value else { return options }
        guard let option = OptionDefinition.all.first(where: { $0.name == name }), option.argument != nil else {
            return []
        }
        return values(of: option, before: "\(name)=", value.shown)
    }

    // MARK: Options

    private var options: [CompletionCandidate] {
        let command = command?.command
        let known = OptionDefinition.all.filter { option in
            guard option.kind == .ofCommand else { return true }
            return command?.options.contains(option.name) ?? line.words.isEmpty
        }
        let questions: [CompletionCandidate] = [
            .word("--help", note: "all commands and options"),
            .word("--version", note: "the versions of larder, Swift, SQLite and libcurl"),
        ]
        return known.map { .word($0.name, note: $0.help) } + questions
    }

    /// Returns the completions for the value of an option.
    ///
    /// - Parameters:
    ///   - head: the text before the value in the same word, such as `--catalog=`.
    ///   - begun: the already typed part of the value.
    private func values(
        of option: OptionDefinition, before head: String, _ begun: String
    ) -> [CompletionCandidate] {
        func words(_ words: [String], _ note: String = "") -> [CompletionCandidate] {
            words.map { .word(head + $0, note: note) }
        }
        switch option.values {
        case .files: return [.files]
        case .folders: return [.folders]
        case .few(let values): return words(values)
        case .catalogs: return catalogs(behind: head)
        case .apis: return words((subject.catalog?.apis ?? []).map { "\($0.name)=" }, "an API of the catalog")
        case .variables:
            return words((subject.catalog?.variables ?? []).sorted().map { "\($0)=" }, "a variable of the catalog")
        case .inputs:
            let names = (subject.catalog?.resources ?? []).flatMap { LiveInputs.names(of: $0) }
            return words(Set(names).sorted().map { "\($0)=" })
        case .fields:
            let subject = subject
            let declared = named.flatMap { subject.resource($0)?.fields }.map { FieldNames(fields: $0).all }
            let fields = declared ?? cached(subject)?.fields ?? []
            var earlier = begun.lastIndex(of: ",").map { String(begun[...$0]) } ?? ""
            let taken = earlier.split(separator: ",").map { String($0.drop { $0 == "-" }) }
            // `-` before a name of `--sort` means descending order.
            if option.name == "--sort", begun.dropFirst(earlier.count).hasPrefix("-") { earlier += "-" }
            return words(fields.filter { !taken.contains($0) }.map { earlier + $0 })
        case .any: return []
        }
    }

    private func catalogs(behind head: String) -> [CompletionCandidate] {
        ((try? UserCatalogs(environment))?.names ?? []).map { .word(head + $0, note: "your catalog") }
            + ShippedCatalog.all.map { .word(head + $0.name, note: "shipped with larder") } + [.files]
    }

    // MARK: Words

    /// The command at the start of the line, with its arguments; nil if the command's name is incomplete.
    private var command: (command: CommandDefinition, words: [String])? {
        guard let command = CommandDefinition.named(by: line.words) else { return nil }
        return (command, Array(line.words.dropFirst(command.name.split(separator: " ").count)))
    }

    /// The resource in the command's first argument. Nil if the command takes no resource, or if the catalog is
    /// unknown.
    private var reference: ResourceReference? {
        guard let (command, words) = command, case .resource? = command.words.first, let word = words.first else {
            return nil
        }
        return try? ResourceReference(word, line.options, environment)
    }

    private var named: String? { reference?.resource }

    private var ofCommand: [CompletionCandidate] {
        guard let group = line.words.first else {
            return CommandDefinition.groups.map { .word($0, note: Self.note(of: $0)) }
        }
        guard let (command, words) = command else {
            guard line.words.count == 1 else { return [] }
            return CommandDefinition.all.filter { $0.name.hasPrefix(group + " ") }.map { command in
                .word(String(command.name.dropFirst(group.count + 1)), note: command.usages.first?.help ?? "")
            }
        }
        // `name=value` arguments may come before an id or a search text, so they do not count as positional arguments.
        let isNaming = command.words.contains { if case .text = $0 { true } else { false } }
        let place = isNaming ? words.filter { !$0.utf8.contains(UInt8(ascii: "=")) }.count : words.count
        guard let word = place < command.words.count ? command.words[place] : command.words.last else { return [] }
        switch word {
        case .choice(let names): return place == 0 ? names.map { .word($0, note: "") } : []
        case .topic: return place == 0 ? HelpTopic.names.map { .word($0, note: "") } + resources(.search) : []
        case .method: return subject.methods.map { .word($0.name, note: $0.summary) }
        case .resource(let need):
            let members = CommandName.members(of: command.name).map { CompletionCandidate.word($0.member, note: "") }
            return resources(need) + members
        case .clearedResource: return words.first == CacheAction.clear.rawValue ? resources(.search) : []
        case .file where place < command.words.count: return [.files]
        case .ownCatalog:
            return place == 0 ? ((try? UserCatalogs(environment))?.names ?? []).map { .word($0, note: "") } : []
        case .catalog: return place == 0 ? catalogs(behind: "") : []
        case .param: return slots(ofMethod: words.first ?? "", behind: words, isForPeople: false)
        case .text where command.words.count == 1, .file: return []
        case .text, .scope, .filter, .field:
            let method =
                switch command.command {
                case .open?, .watch?: CommandName.get.rawValue
                case .watchList?: CommandName.list.rawValue
                default: command.name
                }
            let slots = slots(ofMethod: "\(named ?? "")/\(method)", behind: words, isForPeople: true)
            // `get` accepts several ids; `open` and `watch` accept one.
            let takesID = method == CommandName.get.rawValue && (place == 1 || command.command == .get)
            guard takesID, !line.current.utf8.contains(UInt8(ascii: "=")) else { return slots }
            return (cached(subject)?.ids(startingWith: line.current) ?? []) + slots
        }
    }

    /// The completions from cached items of the resource on the command line; nil if nothing is cached.
    private func cached(_ subject: CompletionSubject) -> CachedCandidates? {
        guard let reference, let loaded = subject.loaded else { return nil }
        return CachedCandidates(
            reference.resource, words: command?.words ?? [], loaded, reference.options, environment)
    }

    private static func note(of group: String) -> String {
        let own = CommandDefinition.all.filter { $0.group == group }
        return own.count == 1
            ? own.first?.usages.first?.help ?? ""
            : own.map { String($0.name.dropFirst(group.count + 1)) }.joined(separator: ", ")
    }

    /// Returns completions for the name of a resource. If the typed word starts with the name of a catalog, such as
    /// `github/`, completes the names of this catalog's resources. Otherwise completes the names of the resources and
    /// catalogs in use.
    private func resources(_ need: CommandDefinition.Need) -> [CompletionCandidate] {
        guard let slash = line.current.firstIndex(of: "/") else {
            let own = resources(need, of: subject).map { CompletionCandidate.word($0.name, note: "of \($0.api)") }
            guard !line.current.isEmpty, line.options.catalogs.isEmpty else { return own }
            return own + ResourceReference.catalogs(environment).map { .word("\($0)/", note: "resources of a catalog") }
        }
        let head = line.current[...slash]
        guard let found = try? ResourceReference(String(head), line.options, environment) else { return [] }
        return resources(need, of: CompletionSubject(found.options, environment)).filter {
            $0.name.hasPrefix(found.resource)
        }.map { .word("\(head)\($0.name.dropFirst(found.resource.count))", note: "of \($0.api)") }
    }

    private func resources(
        _ need: CommandDefinition.Need, of subject: CompletionSubject
    ) -> [ResourceDefinition] {
        (subject.catalog?.resources ?? []).filter { resource in
            switch need {
            case .get: resource.canGet
            case .list: resource.list != nil
            case .search: true
            }
        }
    }

    /// Returns completions for a `name=value` argument: the names of parameters, or the values of the parameter at the
    /// cursor.
    private func slots(
        ofMethod method: String, behind words: [String], isForPeople: Bool
    ) -> [CompletionCandidate] {
        let subject = subject
        let resource = method.lastIndex(of: "/").flatMap { subject.resource(String(method[..<$0])) }
        let isSearch = method.hasSuffix("/search")
        var slots = CompletionSlot.all(subject.parameters(of: method), of: resource, isSearch: isSearch)
        if isForPeople { slots = slots.compactMap(\.forPeople) }
        if let equals = line.current.firstIndex(of: "=") {
            let name = line.current[..<equals]
            guard let slot = slots.first(where: { $0.name == name }) else { return [] }
            return slot.values.map { .word("\(name)=\($0)", note: "") }
        }
        let given = words.map { word in String(word.prefix { $0 != "=" }) }
        return slots.filter { $0.isRepeatable || !given.contains($0.name) }.map { .word("\($0.name)=", note: $0.note) }
    }
}
