import Catalog
import JSON
import Protocol

/// The capabilities of an MCP client that affect a tool's answer.
struct ToolClient {
    /// Whether the client has requested progress notifications.
    let wantsProgress: Bool
    /// Whether the client can open links to items (`MCPExchange.wantsLinks`).
    let wantsLinks: Bool
}

/// The arguments of a tool call by name. An earlier check has rejected unknown names.
struct ToolArguments {
    private let view: JSONView?
    let client: ToolClient

    init(_ view: JSONView?, client: ToolClient) {
        self.view = view
        self.client = client
    }

    /// Converts the arguments to the forms that the tool expects. Calls `body` with the converted arguments.
    static func with<Result>(
        _ members: JSONObject, client: ToolClient, _ body: (ToolArguments) throws(RPCError) -> Result
    ) throws(RPCError) -> Result {
        var writer = JSONWriter()
        writer.value(.object(members))
        let document: JSONDocument
        do throws(JSONFault) { document = try JSONDocument(writer.bytes) } catch {
            throw RPCError(.invalidParams, "'arguments' must be an object that is valid JSON")
        }
        return try document.withRoot { (view) throws(RPCError) in
            try body(ToolArguments(view, client: client))
        }
    }

    /// The value of an argument; nil if it is absent or `null`.
    subscript(name: StaticString) -> JSONView? { view?[name].flatMap { $0.isNull ? nil : $0 } }

    /// The arguments as params of a JSON-RPC method such as `RESOURCE/get`. The method ignores unknown arguments.
    var params: ParamsReader { ParamsReader(checked: view) }

    /// Finds the resource that the call names. Returns the resource's context, and the part of the resource's
    /// declaration that the tool needs.
    ///
    /// - Parameter part: returns the part that the tool needs, such as the list. Returns nil if the tool does not
    ///   support the resource.
    func resource<Part>(
        in table: ResourceTable, with part: (ResourceDefinition) -> Part?
    ) throws(RPCError) -> (ResourceContext, Part) {
        let named = self["resource"]?.string
        if let named, let index = table.resources.firstIndex(where: { $0.name == named }),
            let part = part(table.resources[index])
        {
            return (table.contexts[index], part)
        }
        let names = table.resources.filter { part($0) != nil }.map(\.name)
        // With several catalogs, a name such as `github.issue` starts with the name of the catalog.
        let likely = named.flatMap { named in
            names.first { $0.hasSuffix("." + named) } ?? Suggestion.nearest(to: named, in: names)
        }
        let hint = likely.map { "; did you mean '\($0)'?" } ?? ""
        let known = names.map { "'\($0)'" }.joined(separator: ", ")
        throw RPCError(.invalidParams, "'resource' must be one of \(known)\(hint)")
    }

    /// Checks that the `scope` argument contains only known members and all required members.
    ///
    /// - Parameter isOptional: whether scope values may be absent.
    /// - Throws: `invalidParams` if the check fails. The message lists the names of the scope values.
    func checkScope(of context: ResourceContext, isOptional: Bool = false) throws(RPCError) {
        let given = self["scope"]
        if let given, given.kind != .object {
            let example = context.repository.resource.scope.map { "\"\($0.name)\":\"...\"" }.joined(separator: ",")
            throw RPCError(.invalidParams, "'scope' must be an object, such as {\(example)}")
        }
        let resource = context.repository.resource
        let names = resource.scope.map { "'\($0.name)'" }.joined(separator: ", ")
        if let members = given?.members {
            for member in members {
                let key = member.key.string ?? ""
                guard resource.scope.contains(where: { $0.name == key }) else {
                    let scope = names.isEmpty ? "no scope; remove 'scope'" : "the scope \(names)"
                    let has = "'\(resource.name)' has \(scope)"
                    throw RPCError(.invalidParams, "'scope' has no '\(key.prefix(100))': \(has)")
                }
            }
        }
        guard !isOptional else { return }
        let required = resource.scope.filter { $0.standard == nil }
        for part in required where scopeValue(part.name) == nil {
            let names = required.map { "'\($0.name)'" }.joined(separator: ", ")
            throw RPCError(
                .invalidParams, "'scope.\(part.name)' is missing: '\(resource.name)' needs \(names) in 'scope'")
        }
    }

    /// Returns a value in the `scope` argument; nil if it is absent or empty.
    private func scopeValue(_ name: String) -> JSONValue? {
        let value = self["scope"]?[name].map { ListFilterValues.converted(JSONValue($0), isArray: false) }
        return value == JSONValue.null || value == "" ? nil : value
    }

    /// Returns the value of the `filter` argument; nil if the argument is absent.
    ///
    /// - Parameters:
    ///   - example: a filter name for the error message.
    ///   - convert: converts the value of one filter to the expected form.
    /// - Throws: `invalidParams` if `filter` is not an object; the errors of `convert`.
    func filter(
        example: String?, _ convert: (String, JSONValue) throws(RPCError) -> JSONValue
    ) throws(RPCError) -> FilterParam? {
        guard let filter = self["filter"] else { return nil }
        guard filter.kind == .object else {
            let example = example.map { ", such as {\"\($0)\":\"...\"}" } ?? ""
            throw RPCError(.invalidParams, "'filter' must be an object\(example)")
        }
        var members: [(name: String, value: JSONValue)] = []
        for member in filter.members {
            let name = member.key.string ?? ""
            members.append((name, try convert(name, JSONValue(member.value))))
        }
        return FilterParam(members)
    }

    /// Returns the resource's context, limited to the scope that the call names.
    ///
    /// - Parameter isOptional: whether scope values may be absent. The context then covers all scopes with the given
    ///   values.
    func scoped(_ context: ResourceContext, isOptional: Bool = false) throws(RPCError) -> ResourceContext {
        let scope = context.repository.resource.scope
        if scope.isEmpty { return context }
        if !isOptional, let name = context.parent(among: self["filter"]) {
            throw RPCError(
                .invalidParams, "'filter' has no '\(name)': this name belongs to the scope; put it into 'scope'")
        }
        let values = try scope.values(isOptional: isOptional, prefix: "scope.") { scopeValue($0) }
        return try context.scoped(to: values, isOptional: isOptional)
    }

    /// Returns the maximum number of items; nil if the call has no `limit`.
    func limit() throws(RPCError) -> Int? {
        guard let value = self["limit"] else { return nil }
        guard let limit = value.integer, limit >= 1 else {
            throw RPCError(.invalidParams, "'limit' must be an integer of at least 1")
        }
        return limit
    }
}
