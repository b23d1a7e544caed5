import Catalog
import DataSources
import JSON
import Protocol

/// The methods of resources, as tools call them: what a tool answers is what the method answers.
struct ResourceMethods: Sendable {
    /// The resources in the order of the catalog.
    let resources: [ResourceDefinition]
    /// All methods by their names.
    let handlers: [String: any Handler]

    /// The resource that a call names.
    ///
    /// - Parameter isMeant: which resources the tool can do something with.
    func resource(
        _ arguments: ToolArguments, where isMeant: (ResourceDefinition) -> Bool = { _ in true }
    ) throws(RPCError) -> ResourceDefinition {
        let named = arguments["resource"]?.string
        if let named, let resource = resources.first(where: { $0.name == named && isMeant($0) }) { return resource }
        let names = resources.filter(isMeant).map(\.name)
        let hint = named.flatMap { Suggestion.nearest(to: $0, in: names) }.map { "; did you mean '\($0)'?" } ?? ""
        let known = names.map { "'\($0)'" }.joined(separator: ", ")
        throw RPCError(.invalidParams, "'resource' must be one of \(known)\(hint)")
    }

    /// Writes the values of a resource's scope as params of its methods.
    ///
    /// - Parameter isOptional: whether values may be left out.
    func copyScope(
        of resource: ResourceDefinition, _ arguments: ToolArguments, isOptional: Bool = false,
        to params: inout JSONWriter
    ) throws(RPCError) {
        let given = arguments["scope"]
        let names = resource.scope.map { "'\($0.name)'" }.joined(separator: ", ")
        if let given, given.kind != .object { throw RPCError(.invalidParams, "'scope' must be an object") }
        if let members = given?.members {
            for member in members {
                let key = member.key.string ?? ""
                guard resource.scope.contains(where: { $0.name == key }) else {
                    let has = names.isEmpty ? "'\(resource.name)' has no scope" : "it has \(names)"
                    throw RPCError(.invalidParams, "'scope' has no '\(key.prefix(100))': \(has)")
                }
                params.key(text: key)
                params.value(member.value)
            }
        }
        guard !isOptional else { return }
        for part in resource.scope where part.standard == nil && given?[part.name].map({ !$0.isNull }) != true {
            throw RPCError(
                .invalidParams, "'scope.\(part.name)' is missing: '\(resource.name)' needs \(names) in 'scope'")
        }
    }

    /// Calls a method.
    ///
    /// - Parameter change: makes the tool's answer of the method's result; hears when the oldest of several items came,
    ///   in milliseconds since 1970.
    func call(
        _ method: String, _ params: JSONWriter, in session: Session,
        _ change: @escaping @Sendable (JSONView, _ oldest: Int64?) -> [UInt8]
    ) throws(RPCError) -> ToolStep {
        guard let handler = handlers[method] else {
            throw RPCError(.invalidParams, "the catalog declares no '\(method)'")
        }
        let document = try Self.document(params.bytes)
        var result = JSONWriter()
        let step = try document.withRoot { (root) throws(RPCError) in
            try handler.begin(ParamsReader(root), in: session, result: &result)
        }
        switch step {
        case .answered: return .answered(try Self.document(result.bytes).withRoot { change($0, nil) })
        case .work(let work):
            return .work(
                ToolWork { (scope) async throws(RPCError) in
                    var writer = JSONWriter()
                    let result = try await work.run(scope)
                    result.write(to: &writer)
                    let oldest = (result as? any AgedResult)?.oldest
                    return try Self.document(writer.bytes).withRoot { change($0, oldest) }
                })
        }
    }

    private static func document(_ bytes: [UInt8]) throws(RPCError) -> JSONDocument {
        do throws(JSONFault) {
            return try JSONDocument(bytes)
        } catch {
            throw RPCError(.internalError, "what was written cannot be read again: \(error.reason)")
        }
    }
}
