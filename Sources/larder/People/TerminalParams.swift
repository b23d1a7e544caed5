import Catalog
import DataSources
import JSON
import Protocol
import RPCServer
import System

/// Converts the positional arguments of a command to the parameters of a request. The catalog determines the meaning of
/// a name, such as a filter or a scope value.
// A class rather than a struct, because the machine code to copy a large struct takes several kilobytes.
final class TerminalParams {
    let command: TerminalCommand
    let resource: ResourceDefinition
    /// The catalogs that the command line selects with `--catalog`.
    let catalogs: [FilePath]
    /// The settings file that lists the requested fields as columns; nil if the fields have another source.
    var fieldsFile: FilePath?

    private enum Place {
        case scope, own, filter
    }

    init(command: TerminalCommand, resource: ResourceDefinition, catalogs: [FilePath] = []) {
        self.command = command
        self.resource = resource
        self.catalogs = catalogs
    }

    /// Converts positional arguments and options to the parameters of the method.
    ///
    /// - Throws: `TerminalFailure` for an unknown name, and for a name that occurs with two values.
    func params(_ words: [String], _ options: TerminalOptions) throws(TerminalFailure) -> JSONObject {
        var params = JSONObject()
        var filter = JSONObject()
        for (name, text, place) in try sorted(words, &params) {
            // An id or a search text is always a string, even if it looks like a number or `null`.
            let isText = place == .own && ["id", "text"].contains(name)
            var value: JSONValue = isText ? .string(text) : CallArguments.value(text)
            if place == .own, name == "page" { value = Self.page(text) }
            if place == .filter {
                value = Self.split(value, for: resource.list?.filters.first { $0.name == name })
                if let present = filter[name] { value = try joined(present, value, name) }
                filter[name] = value
            } else {
                guard params[name] == nil else { throw Self.twice(name) }
                params[name] = value
            }
        }
        if !filter.members.isEmpty { params["filter"] = .object(filter) }
        if let fields = options.fields { params["fields"] = .array(fields.map { .string($0) }) }
        if let page = options.page {
            guard params["page"] == nil else { throw Self.twice("page") }
            params["page"] = Self.page(page)
        }
        return params
    }

    /// Splits a string such as `1,2.5` into an array if the filter declares a separator or accepts an array of numbers.
    /// Returns other values unchanged.
    private static func split(_ value: JSONValue, for filter: FilterDefinition?) -> JSONValue {
        if let filter, filter.split != nil { return filter.splitting(value) }
        guard case .array(let element)? = filter?.type, element == .integer || element == .number,
            case .string(let text) = value
        else { return value }
        return .array(
            text.split(separator: ",", omittingEmptySubsequences: false).map { CallArguments.value(String($0)) })
    }

    /// Checks that the catalog declares the fields of a sort order, and that the printed items have them. Accepts every
    /// field name if the catalog declares no fields.
    ///
    /// - Parameter cachedNames: returns names of fields that cached items have. Called only for a resource without
    ///   declared fields.
    /// - Throws: `TerminalFailure` for an unknown field, and for a field that `--fields` omits.
    func check(_ options: TerminalOptions, _ cachedNames: () -> [String] = { [] }) throws(TerminalFailure) {
        let keys = options.order.keys.map(\.name)
        let names = resource.fields.map { FieldNames(fields: $0) }
        if let names, let name = keys.first(where: { !names.contain($0) }) {
            let near = Suggestion.nearest(to: name, in: names.all).map { "; did you mean '\($0)'?" } ?? ""
            throw TerminalFailure("--sort has the unknown field '\(name.prefix(100))'\(near)")
        }
        guard let fields = options.fields, let name = keys.first(where: { !fields.contains($0) }) else { return }
        let known = names == nil ? fields + cachedNames() : [name]
        if !known.contains(name), let near = Suggestion.nearest(to: name, in: known) {
            throw TerminalFailure("--sort has the unknown field '\(name.prefix(100))'; did you mean '\(near)'?")
        }
        let advice = known.contains(name) ? "add it to --fields" : "add it to --fields, or correct the name"
        throw TerminalFailure("--sort needs '\(name.prefix(100))' in --fields: \(advice)")
    }

    /// Returns the value of `--page` as a number, or as a string for a cursor. A cursor is never parsed as JSON.
    private static func page(_ text: String) -> JSONValue { Int(text).map { .integer($0) } ?? .string(text) }

    private static func twice(_ name: String) -> TerminalFailure {
        TerminalFailure("'\(name)' is given twice; pass it once")
    }

    /// Splits the positional arguments into names and values. Stores the id or the search text in `params`.
    private func sorted(
        _ words: [String], _ params: inout JSONObject
    ) throws(TerminalFailure) -> [(name: String, text: String, place: Place)] {
        var named: [(name: String, text: String, place: Place)] = []
        var bare: [String] = []
        var unknown: [(word: String, name: String)] = []
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else {
                bare.append(word)
                continue
            }
            if let (name, place) = place(of: parts[0]) {
                named.append((name, parts[1], place))
            } else {
                unknown.append((word, parts[0]))
            }
        }
        // An id may contain `=`. So a single argument with an unknown name before its `=` becomes the id, if there is
        // no other id.
        if command == .get, resource.id == .string, bare.isEmpty, !named.contains(where: { $0.name == "id" }),
            unknown.count == 1
        {
            bare = unknown.map(\.word)
            unknown = []
        }
        if let first = unknown.first { throw failure(unknown: first.name) }
        if command == .get, bare.count > 1 {
            params["ids"] = .array(bare.map { .string($0) })
        } else if let only = bare.first {
            params[command == .get ? "id" : "text"] = .string(command == .get ? only : bare.joined(separator: " "))
        }
        return named
    }

    /// Returns the kind of a parameter, such as a filter, and its name without a prefix. Nil for an unknown name.
    /// `filter.NAME` is always a filter.
    private func place(of word: String) -> (name: String, place: Place)? {
        let prefix = "filter."
        if word.hasPrefix(prefix), isFilter(String(word.dropFirst(prefix.count))) {
            return (String(word.dropFirst(prefix.count)), .filter)
        }
        if resource.scope.contains(where: { $0.name == word }) { return (word, .scope) }
        if own.contains(word) { return (word, .own) }
        return isFilter(word) ? (word, .filter) : nil
    }

    /// The names of the parameters that the user can set with `name=value` for every resource.
    private var own: [String] {
        let all =
            switch command {
            case .get: GetParams.declared.descriptions
            case .list: ListParams.declared.descriptions
            case .search: SearchParams.declared.descriptions
            case .prefetch: PrefetchParams.declared.descriptions
            // The other parameters are options.
            case .sync: [ParameterDescription]()
            }
        return all.map(\.name).filter { !["fields", "filter", "limit", "workDoneToken"].contains($0) }
    }

    private func isFilter(_ name: String) -> Bool {
        if name.isEmpty { return false }
        return switch command {
        case .get: false
        case .list, .prefetch, .sync: resource.list?.filters.contains { $0.name == name } == true
        case .search: resource.fields.map { FieldNames(fields: $0).contain(name) } ?? true
        }
    }

    /// The names of the list's filters. For `search`, the names of the fields that can be filters.
    private var filters: [String] {
        switch command {
        case .get: []
        case .list, .prefetch, .sync: resource.list?.filters.map(\.name) ?? []
        case .search: resource.fields.map { FieldNames(fields: $0).all } ?? []
        }
    }

    /// Adds a value to the values of a filter.
    ///
    /// - Throws: `TerminalFailure` if the filter accepts only one value.
    private func joined(
        _ present: JSONValue, _ value: JSONValue, _ name: String
    ) throws(TerminalFailure) -> JSONValue {
        let definition = resource.list?.filters.first { $0.name == name }
        guard command != .search, definition?.type.isArray == true else { throw Self.twice(name) }
        func elements(_ value: JSONValue) -> [JSONValue] {
            if case .array(let elements) = value { elements } else { [value] }
        }
        return .array(elements(present) + elements(value))
    }

    /// The names that can precede `=` in an argument of the command.
    var names: [String] { filters + resource.scope.map(\.name) + own }

    private func failure(unknown name: String) -> TerminalFailure {
        let scope = resource.scope.map(\.name)
        func listed(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
        let kind = command == .search ? "fields" : "filters"
        let parts = [
            filters.isEmpty ? nil : "\(kind) \(listed(filters))", scope.isEmpty ? nil : "scope \(listed(scope))",
            own.isEmpty ? nil : "parameters \(listed(own))",
        ].compactMap { $0 }
        let near = Suggestion.nearest(to: name, in: names).map { "; did you mean '\($0)'?" } ?? ""
        return TerminalFailure(
            "'\(command.name.rawValue) \(resource.name)' does not accept '\(name.prefix(100))'\(near)",
            hint: "available: \(parts.joined(separator: "; "))"
                + (command == .search ? "; write a text that contains '=' as text=TEXT" : ""))
    }

    /// The usage of the command for this resource, such as `larder list issue owner=VALUE [state=VALUE]`.
    var form: String {
        let scope = resource.scope.map { $0.standard == nil ? "\($0.name)=VALUE" : "[\($0.name)=VALUE]" }
        let all = [.list, .prefetch, .sync].contains(command) ? resource.list?.filters ?? [] : []
        // The names of many optional filters would fill the terminal.
        let isShort = all.count { !$0.isRequired } <= 4
        let named = all.filter { isShort || $0.isRequired }
        let filters =
            named.map { $0.isRequired ? "\($0.name)=VALUE" : "[\($0.name)=VALUE]" }
            + (isShort ? [] : ["[FILTER=VALUE ...]"])
        let subject = command == .get ? ["ID"] : command == .search ? ["TEXT"] : []
        let words = [command.name.rawValue, resource.name] + subject + scope + filters
        return CommandHint.line(words.joined(separator: " "), catalogs)
    }
}
