import Catalog
import DataSources
import JSON
import Model
import Protocol
import Repositories

/// Handles a method for a resource with a scope, such as the issues of one repository. The handler reads the scope
/// values, and then calls an inner handler for this scope.
struct ScopedHandler<Inner: Handler>: Handler {
    typealias Params = Inner.Params

    /// The context of the resource, not limited to one scope.
    private let context: ResourceContext
    /// Whether a request may omit scope values. If so, the request applies to all scopes that match the given values.
    private let isOptional: Bool
    private let make: @Sendable (ResourceContext) -> Inner
    /// A handler without a scope. It provides only the description and other properties of the method, which are the
    /// same for all scopes.
    private let inner: Inner

    /// Creates a handler that reads the scope from each request.
    ///
    /// - Parameter make: creates the inner handler for a context.
    init(
        _ context: ResourceContext, isOptional: Bool = false, make: @escaping @Sendable (ResourceContext) -> Inner
    ) {
        self.context = context
        self.isOptional = isOptional
        self.make = make
        inner = make(context)
    }

    private var scope: [ScopeDefinition] { context.repository.resource.scope }

    var readsCache: Bool { inner.readsCache }
    var mayAskAPI: Bool { inner.mayAskAPI }
    var description: MethodDescription { inner.description }

    var explain: Explain? {
        if inner.explain == nil { return nil }
        return { (params) throws(RPCError) in
            let (handler, rest) = try handler(params)
            return try handler.explain?(rest)
        }
    }

    var parameters: [ParameterDescription] {
        scope.map { part in
            let schema = JSONSchema(part.type)
            return ParameterDescription(
                name: part.name, purpose: "The parent of the items.", expected: part.type.expected,
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

    /// Returns the handler of the request's scope, and the parameters without the scope values.
    private func handler(_ params: ParamsReader) throws(RPCError) -> (Inner, ParamsReader) {
        if !isOptional, parameters.contains(where: { $0.name == "filter" }) {
            if let name = context.parent(among: params.value(of: "filter")) {
                throw RPCError(
                    .invalidParams,
                    "'filter' has no '\(name)': this name belongs to the scope; pass the parameter '\(name)'"
                        + " beside 'filter' (in the Python client: `at(\(name)=...)`)")
            }
        }
        let values: [(name: String, value: JSONValue)]
        do throws(RPCError) {
            values = try scope.values(isOptional: isOptional) { params.value(of: $0).map { JSONValue($0) } }
        } catch {
            // Unknown names are reported first, because a misspelt name explains the failure better than a missing
            // value.
            try params.allow(parameters.map(\.name))
            throw error
        }
        let handler = make(try context.scoped(to: values, isOptional: isOptional))
        return (handler, params.passing(scope.map(\.name)))
    }
}

extension ResourceContext {
    /// Returns the resource's context for one scope. The scope values must be canonical.
    ///
    /// - Parameter isOptional: whether scope values may be absent. The context then covers all scopes that match the
    ///   given values.
    /// - Throws: `invalidParams` for a value that would put a `.` or `..` segment into a URL path of the resource.
    func scoped(
        to values: [(name: String, value: JSONValue)], isOptional: Bool
    ) throws(RPCError) -> ResourceContext {
        var context = self
        if isOptional {
            context.narrowing = ScopeNarrowing(values)
        } else {
            let scope = try ResourceScope(values, of: repository.resource)
            context.repository = repository.scoped(scope)
            context.scope = scope
        }
        return context
    }

    /// Returns the first scope name that the request contains in `filter` by mistake; nil if there is none.
    func parent(among filter: JSONView?) -> String? {
        let resource = repository.resource
        guard let filter, filter.kind == .object, let list = resource.list else { return nil }
        return resource.scope.map(\.name).first { name in
            filter[name] != nil && !list.filters.contains { $0.name == name }
        }
    }
}

extension [ScopeDefinition] {
    /// Returns the values of a scope in canonical form.
    ///
    /// - Parameters:
    ///   - isOptional: whether scope values may be absent.
    ///   - prefix: the text before each name in an error message.
    ///   - given: returns the request's value for a scope name.
    /// - Throws: `invalidParams` for a value that is missing or of the wrong type.
    package func values(
        isOptional: Bool, prefix: String = "", _ given: (String) -> JSONValue?
    ) throws(RPCError) -> [(name: String, value: JSONValue)] {
        var values: [(name: String, value: JSONValue)] = []
        for part in self {
            var value = given(part.name)
            // An empty value selects the default, even if the parameter is optional.
            if value == "" { value = part.standard ?? value }
            guard let value = value ?? (isOptional ? nil : part.standard) else {
                if isOptional { continue }
                throw RPCError(.invalidParams, "'\(prefix)\(part.name)' is missing; pass \(part.type.expected)")
            }
            guard let canonical = part.type.canonical(value), canonical != "" else {
                let empty = value == "" && part.type == .string ? " that is not empty" : ""
                let hint = empty.isEmpty ? part.type.suggestion(for: value) : empty
                throw RPCError(.invalidParams, "'\(prefix)\(part.name)' must be \(part.type.expected)\(hint)")
            }
            values.append((part.name, canonical))
        }
        return values
    }
}

extension ResourceScope {
    /// Creates a scope from canonical values.
    ///
    /// - Throws: `invalidParams` for a value that would put a `.` or `..` segment into a URL path of the resource.
    convenience init(_ values: [(name: String, value: JSONValue)], of resource: ResourceDefinition) throws(RPCError) {
        for (name, value) in values where resource.hasDotSegments(value.plainText, in: name) {
            throw .dotSegments(value.plainText, name)
        }
        self.init(values)
    }
}
