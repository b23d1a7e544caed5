import Catalog
import JSON
import Protocol

/// The arguments of a call by name. Unknown names were already refused.
struct ToolArguments {
    private let view: JSONView?
    /// Whether the client has asked for progress.
    let wantsProgress: Bool

    init(_ view: JSONView?, wantsProgress: Bool) {
        self.view = view
        self.wantsProgress = wantsProgress
    }

    /// The value of an argument; nil if it is absent or `null`.
    subscript(name: StaticString) -> JSONView? { view?[name].flatMap { $0.isNull ? nil : $0 } }

    /// The arguments as params of a native method, which reads only those that it declares.
    var params: ParamsReader { ParamsReader(checked: view) }

    /// Returns the context of the resource in the call, and the part of its declaration that the tool needs.
    ///
    /// - Parameter part: returns the part of a resource that the tool needs; nil if the tool does not support the
    ///   resource.
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
        let hint = named.flatMap { Suggestion.nearest(to: $0, in: names) }.map { "; did you mean '\($0)'?" } ?? ""
        let known = names.map { "'\($0)'" }.joined(separator: ", ")
        throw RPCError(.invalidParams, "'resource' must be one of \(known)\(hint)")
    }

    /// Checks the member names of `scope`.
    ///
    /// - Parameter isOptional: whether values may be absent.
    func checkScope(of context: ResourceContext, isOptional: Bool = false) throws(RPCError) {
        let given = self["scope"]
        if let given, given.kind != .object { throw RPCError(.invalidParams, "'scope' must be an object") }
        let resource = context.repository.resource
        let names = resource.scope.map { "'\($0.name)'" }.joined(separator: ", ")
        if let members = given?.members {
            for member in members {
                let key = member.key.string ?? ""
                guard resource.scope.contains(where: { $0.name == key }) else {
                    let has = "'\(resource.name)' has " + (names.isEmpty ? "no scope" : "the scope \(names)")
                    throw RPCError(.invalidParams, "'scope' has no '\(key.prefix(100))': \(has)")
                }
            }
        }
        guard !isOptional else { return }
        for part in resource.scope where part.standard == nil && given?[part.name].map({ !$0.isNull }) != true {
            throw RPCError(
                .invalidParams, "'scope.\(part.name)' is missing: '\(resource.name)' needs \(names) in 'scope'")
        }
    }

    /// Returns the context of the scope in the call.
    ///
    /// - Parameter isOptional: whether values may be absent. The context then covers all scopes with the given values.
    func scoped(_ context: ResourceContext, isOptional: Bool = false) throws(RPCError) -> ResourceContext {
        let scope = context.repository.resource.scope
        if scope.isEmpty { return context }
        let given = self["scope"]
        if !isOptional { try context.refuseParents(among: self["filter"]) }
        let values = try scope.values(isOptional: isOptional) { name in
            given?[name].flatMap { $0.isNull ? .none : .some(JSONValue($0)) }
        }
        return try context.scoped(to: values, isOptional: isOptional)
    }

    /// Returns the maximum number of items; nil if the call has no `limit`.
    func limit() throws(RPCError) -> Int? {
        guard let value = self["limit"] else { return nil }
        // In JSON Schema, `1.0` is an integer too.
        guard let limit = value.integer ?? value.number.flatMap({ Int(exactly: Double($0) ?? 0) }), limit >= 1 else {
            throw RPCError(.invalidParams, "'limit' must be an integer from 1")
        }
        return limit
    }
}
