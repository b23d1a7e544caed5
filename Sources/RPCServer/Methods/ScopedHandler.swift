import Catalog
import DataSources
import JSON
import Model
import Protocol
import Repositories

/// A handler of one resource, which can be that of one of its scopes.
protocol ResourceHandler: Handler {
    var context: ResourceContext { get set }
}

/// A method of a resource that has a scope: it reads the values of that from the params, and lets the handler of that
/// scope do the rest.
struct ScopedHandler<Inner: ResourceHandler>: Handler {
    typealias Params = Inner.Params

    let inner: Inner
    /// Whether values may be left out: then all scopes are meant that have the others.
    let isOptional: Bool

    init(_ inner: Inner, isOptional: Bool = false) {
        self.inner = inner
        self.isOptional = isOptional
    }

    private var scope: [ScopeDefinition] { inner.context.repository.resource.scope }

    var readsCache: Bool { inner.readsCache }
    var mayAskAPI: Bool { inner.mayAskAPI }
    var description: MethodDescription { inner.description }

    var parameters: [ParameterDescription] {
        scope.map { part in
            let schema = JSONSchema(part.type)
            return ParameterDescription(
                name: part.name, purpose: "Of which parent the items are.", expected: part.type.expected,
                schema: isOptional ? schema : part.standard.map { schema.byDefault($0) } ?? schema,
                isRequired: !isOptional && part.standard == nil)
        } + inner.parameters
    }

    func begin(_ params: Inner.Params, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step {
        try inner.begin(params, in: session, result: &result)
    }

    func begin(_ params: ParamsReader, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step {
        let (handler, rest) = try handler(params)
        return try handler.begin(rest, in: session, result: &result)
    }

    /// The handler of the scope that the params name, and the other params.
    fileprivate func handler(_ params: ParamsReader) throws(RPCError) -> (Inner, ParamsReader) {
        if !isOptional { try refuseParentsAmongFilters(params) }
        let values: [(name: String, value: JSONValue)]
        do throws(RPCError) {
            values = try scope.values(isOptional: isOptional) { params.value(of: $0).map { JSONValue($0) } }
        } catch {
            // A name that is misspelt says more than that the right one is missing.
            try params.allow(parameters.map(\.name))
            throw error
        }
        var handler = inner
        if isOptional {
            handler.context.narrowing = ScopeNarrowing(values)
        } else {
            let scope = try ResourceScope(values, of: inner.context.repository.resource)
            handler.context.repository = inner.context.repository.scoped(scope)
            handler.context.scope = scope
        }
        return (handler, params.passing(scope.map(\.name)))
    }

    /// Else one would hear that it is missing, or that there is no such filter.
    private func refuseParentsAmongFilters(_ params: ParamsReader) throws(RPCError) {
        guard let filter = params.value(of: "filter"), filter.kind == .object else { return }
        guard let list = inner.context.repository.resource.list, parameters.contains(where: { $0.name == "filter" })
        else { return }
        for part in scope where filter[part.name] != nil && !list.filters.contains(where: { $0.name == part.name }) {
            throw RPCError(
                .invalidParams,
                "'filter' has no '\(part.name)': it is a parent of the items and stands beside 'filter'"
                    + " (in clients: `at(\(part.name)=...)`)")
        }
    }
}

extension ScopedHandler: ExplainableHandler where Inner: ExplainableHandler {
    func explain(_ params: Inner.Params) throws(RPCError) -> ExplainHandler.Question { try inner.explain(params) }

    func explain(reading params: ParamsReader) throws(RPCError) -> ExplainHandler.Question {
        let (handler, rest) = try handler(params)
        return try handler.explain(reading: rest)
    }
}

extension [ScopeDefinition] {
    /// The values of a scope, in their canonical form.
    ///
    /// - Parameters:
    ///   - isOptional: whether values may be left out.
    ///   - given: the value that a request has for a name.
    /// - Throws: `invalidParams` for a value that is missing, and for one that is not of its type.
    func values(
        isOptional: Bool, _ given: (String) -> JSONValue?
    ) throws(RPCError) -> [(name: String, value: JSONValue)] {
        var values: [(name: String, value: JSONValue)] = []
        for part in self {
            guard let value = given(part.name) ?? (isOptional ? nil : part.standard) else {
                if isOptional { continue }
                throw RPCError(.invalidParams, "'\(part.name)' is missing: it must be \(part.type.expected)")
            }
            guard let canonical = part.type.canonical(value), canonical != "" else {
                let empty = value == "" ? " that is not empty" : ""
                throw RPCError(.invalidParams, "'\(part.name)' must be \(part.type.expected)\(empty)")
            }
            values.append((part.name, canonical))
        }
        return values
    }
}

extension ResourceScope {
    /// The scope with these values, in their canonical form.
    ///
    /// - Throws: `invalidParams` for a value that would put a segment `.` or `..` into a path of the resource.
    convenience init(_ values: [(name: String, value: JSONValue)], of resource: ResourceDefinition) throws(RPCError) {
        for (name, value) in values where resource.hasDotSegments(value.plainText, in: name) {
            throw .dotSegments(value.plainText, name)
        }
        self.init(values)
    }
}
