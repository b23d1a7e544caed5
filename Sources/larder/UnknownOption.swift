import Catalog
import Model
import RPCServer

/// An unknown option of a command that names a resource. The user may have meant a filter, such as `state=open` instead
/// of `--state open`.
///
/// A class rather than a struct, so that functions that throw a `UsageError` do not copy the options.
final class UnknownOption: Equatable, Sendable {
    /// The option as the user typed it, such as `--state`.
    let name: String
    /// The value of the option; nil if the option is the last argument.
    let value: String?
    let command: CommandName
    /// The name of the resource as the user typed it.
    let resource: String
    let options: CommandOptions

    init(name: String, value: String?, command: CommandName, resource: String, options: CommandOptions) {
        self.name = name
        self.value = value
        self.command = command
        self.resource = resource
        self.options = options
    }

    static func == (left: UnknownOption, right: UnknownOption) -> Bool { left === right }

    /// Returns an error message that suggests the right argument. Nil if no argument of the command is similar to the
    /// option, or if the catalog cannot be read.
    @_optimize(size)
    func message(_ environment: Environment) -> String? {
        let word = String(name.drop { $0 == "-" })
        let given = value.map { CommandHint.quoted(Userinfo.hide(in: $0)) }
        let start = "unknown option '\(name)'; "
        if kind == .get, word == "id" {
            let line = CommandHint.line("\(command.rawValue) \(resource) \(given ?? "ID")", options.catalogs)
            return "\(start)write the id without an option: \(line)"
        }
        guard let found = try? ResourceReference(resource, options, environment),
            let catalog = try? CatalogSource.all(nil, found.options, environment).catalog,
            let definition = catalog.resources.first(where: { $0.name == found.resource })
        else { return nil }
        let names = TerminalParams(command: kind, resource: definition).names
        var known = names
        for option in OptionDefinition.all { known.insert(String(option.name.dropFirst(2)), at: 0) }
        // An option precedes an equally similar filter. The beginning of a filter's name is enough.
        let isExact = names.contains(word)
        let near = isExact ? word : Suggestion.nearest(to: word, in: known) ?? names.first { $0.hasPrefix(word) }
        guard let near, names.contains(near), isExact || !known.dropLast(names.count).contains(near) else { return nil }
        let argument = "\(near)=\(given ?? "VALUE")"
        return start + (isExact ? "write \(argument)" : "did you mean \(argument)?")
    }

    /// The command with the same arguments as `command`: for example, `list` for `watch list`.
    private var kind: TerminalCommand {
        switch command {
        case .list, .watchList: .list
        case .search: .search
        case .prefetch: .prefetch
        case .sync: .sync
        default: .get
        }
    }
}

extension CommandLineParser {
    /// Returns the error for an unknown option of a command that takes a resource. Also parses the remaining options,
    /// because an option such as `--catalog` determines the filters that the error can suggest.
    @_optimize(size)
    mutating func unknownOption(
        _ name: String, _ known: [String], _ given: Argument?, of command: CommandName,
        _ rest: inout ArraySlice<Argument>
    ) -> UsageError {
        guard let resource = words.dropFirst(command.words.count).first else { return unknown("option", name, known) }
        let value = given ?? rest.first.flatMap { $0.shown.hasPrefix("-") ? nil : $0 }
        while let argument = rest.popFirst() {
            let name = argument.optionParts.name
            if OptionDefinition.all.contains(where: { $0.name == name }) { try? parseOption(argument, &rest) }
        }
        let help = "larder \(command.rawValue) \(resource) --help"
        return UsageError(
            message: unknown("option", name, known, help: help).message,
            option: UnknownOption(
                name: name, value: value?.shown, command: command, resource: resource, options: options))
    }

    /// Returns the error for an unknown name. Suggests the most similar known name, or the help if no name is similar.
    func unknown(_ what: String, _ name: String, _ known: [String], help: String = "larder --help") -> UsageError {
        // The dashes of options are not compared. Otherwise short options would be similar to too many names.
        let bare = known.map { String($0.drop { $0 == "-" }) }
        let near = Suggestion.nearest(to: String(name.drop { $0 == "-" }), in: bare).flatMap { bare.firstIndex(of: $0) }
        let hint = near.map { "did you mean '\(known[$0])'?" } ?? "see \(help)"
        return UsageError(message: "unknown \(what) '\(Userinfo.hide(in: name))'; \(hint)")
    }
}
