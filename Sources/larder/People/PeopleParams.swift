import Catalog
import DataSources
import JSON
import Protocol
import RPCServer
import System

/// Makes a request's params of the words of a person. The catalog knows which of the names is what: a part of the
/// scope, a filter of the list or a field of the item, or a parameter of the method itself.
struct PeopleParams {
    let command: PeopleCommand
    let resource: ResourceDefinition
    /// The catalog that the command line names.
    var catalog: FilePath?

    private enum Place {
        case scope, own, filter
    }

    /// What the method is called with, made of the words of the command line.
    ///
    /// - Throws: `PeopleFailure` for a name that there is not, or that stands twice, and for an id too many.
    func params(_ words: [String], _ options: PeopleOptions) throws(PeopleFailure) -> JSONObject {
        var params = JSONObject()
        var filter = JSONObject()
        for (name, text, place) in try sorted(words, &params) {
            // An id or a text is one, also where it looks like a number or `null`.
            let isText = place == .own && ["id", "text"].contains(name)
            var value: JSONValue = isText ? .string(text) : CallArguments.value(text)
            if place == .own, name == "page" { value = Self.page(text) }
            if place == .filter {
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

    /// A page's number, or the text that a page said of another: that may look like any JSON.
    private static func page(_ text: String) -> JSONValue { Int(text).map { .integer($0) } ?? .string(text) }

    private static func twice(_ name: String) -> PeopleFailure { PeopleFailure("'\(name)' is given twice") }

    /// The words that name something. What is the id or the text becomes a parameter.
    private func sorted(
        _ words: [String], _ params: inout JSONObject
    ) throws(PeopleFailure) -> [(name: String, text: String, place: Place)] {
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
        // An id may have a `=` in it: what names nothing can be that, where nothing else is.
        if command == .get, resource.id == .string, bare.isEmpty, !named.contains(where: { $0.name == "id" }),
            unknown.count == 1
        {
            bare = unknown.map(\.word)
            unknown = []
        }
        if let first = unknown.first { throw failure(unknown: first.name) }
        if !bare.isEmpty {
            let name = command == .get ? "id" : "text"
            params[name] = .string(bare.joined(separator: " "))
        }
        return named
    }

    /// What a name means; nil where it means nothing. `filter.NAME` is a filter, whatever else has that name.
    private func place(of word: String) -> (name: String, place: Place)? {
        let prefix = "filter."
        if word.hasPrefix(prefix), isFilter(String(word.dropFirst(prefix.count))) {
            return (String(word.dropFirst(prefix.count)), .filter)
        }
        if resource.scope.contains(where: { $0.name == word }) { return (word, .scope) }
        if own.contains(word) { return (word, .own) }
        return isFilter(word) ? (word, .filter) : nil
    }

    /// The parameters that the method has in whatever resource, and that are given no other way.
    private var own: [String] {
        let all =
            switch command {
            case .get: GetParams.declared.descriptions
            case .list: ListParams.declared.descriptions
            case .search: SearchParams.declared.descriptions
            case .prefetch: PrefetchParams.declared.descriptions
            }
        return all.map(\.name).filter { !["fields", "filter", "limit", "workDoneToken"].contains($0) }
    }

    private func isFilter(_ name: String) -> Bool {
        if name.isEmpty { return false }
        return switch command {
        case .get: false
        case .list, .prefetch: resource.list?.filters.contains { $0.name == name } == true
        case .search: resource.fields.map { FieldNames(fields: $0).contain(name) } ?? true
        }
    }

    /// The names of filters, or of fields that can be looked for.
    private var filters: [String] {
        switch command {
        case .get: []
        case .list, .prefetch: resource.list?.filters.map(\.name) ?? []
        case .search: resource.fields.map { FieldNames(fields: $0).all } ?? []
        }
    }

    /// Several values of a filter that takes several.
    private func joined(
        _ present: JSONValue, _ value: JSONValue, _ name: String
    ) throws(PeopleFailure) -> JSONValue {
        let definition = resource.list?.filters.first { $0.name == name }
        guard command != .search, definition?.type.isArray == true else { throw Self.twice(name) }
        func elements(_ value: JSONValue) -> [JSONValue] {
            if case .array(let elements) = value { elements } else { [value] }
        }
        return .array(elements(present) + elements(value))
    }

    private func failure(unknown name: String) -> PeopleFailure {
        let scope = resource.scope.map(\.name)
        func listed(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
        let kind = command == .search ? "fields" : "filters"
        let parts = [
            filters.isEmpty ? nil : "\(kind) \(listed(filters))", scope.isEmpty ? nil : "scope \(listed(scope))",
            own.isEmpty ? nil : "parameters \(listed(own))",
        ].compactMap { $0 }
        let near = Suggestion.nearest(to: name, in: filters + scope + own).map { "; did you mean '\($0)'?" } ?? ""
        return PeopleFailure(
            "'\(command.name.rawValue) \(resource.name)' takes no '\(name.prefix(100))'\(near)",
            hint: "there is: \(parts.joined(separator: "; "))"
                + (command == .search ? "; a text with a '=' in it is text=TEXT" : ""))
    }

    /// How this command is written for this resource, for who has left something out.
    var form: String {
        let scope = resource.scope.map { $0.standard == nil ? "\($0.name)=VALUE" : "[\($0.name)=VALUE]" }
        let filters =
            command == .list || command == .prefetch
            ? resource.list?.filters.map { $0.isRequired ? "\($0.name)=VALUE" : "[\($0.name)=VALUE]" } ?? [] : []
        let subject = command == .get ? ["ID"] : command == .search ? ["TEXT"] : []
        return (["larder", command.name.rawValue, resource.name] + subject + scope + filters).joined(separator: " ")
    }
}
