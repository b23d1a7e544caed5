import JSON

/// The parameters of one method. The list decodes the parameters of a request, and rejects unknown parameters. The same
/// list describes the parameters, so the description always matches the parameters that the method accepts.
public struct ParameterList<Values>: Sendable {
    private let names: [StaticString]
    /// Whether unknown parameters are ignored instead of rejected.
    private let isOpen: Bool
    private let describe: @Sendable () -> [ParameterDescription]
    private let values: @Sendable (JSONView?) throws(RPCError) -> Values

    private init(
        _ names: [StaticString], isOpen: Bool, describe: @escaping @Sendable () -> [ParameterDescription],
        values: @escaping @Sendable (JSONView?) throws(RPCError) -> Values
    ) {
        self.names = names
        self.isOpen = isOpen
        self.describe = describe
        self.values = values
    }

    public var descriptions: [ParameterDescription] { describe() }

    /// Returns the values of a request's parameters, in the order in which the method declares the parameters.
    ///
    /// - Throws: `invalidParams` for an unknown name, a missing value or an invalid value.
    func read(_ reader: ParamsReader) throws(RPCError) -> Values {
        if !isOpen { try reader.allow(names) }
        return try values(reader.params)
    }
}

/// The initializers of `ParameterList`, one for each number of parameters. If `isOpen` is true, the list ignores
/// unknown parameters.
// A parameter pack is not used, because it would look up its types at every request. In measurements, the lookup took a
// third of the time of a memory cache hit.
extension ParameterList {
    init(isOpen: Bool = false) where Values == Void {
        self.init([], isOpen: isOpen, describe: { [] }, values: { (_) throws(RPCError) in () })
    }

    init<A: DeclaredParameter>(_ a: A, isOpen: Bool = false) where Values == A.Value {
        self.init(
            [a.name], isOpen: isOpen, describe: { [a.description] },
            values: { (params) throws(RPCError) in try a.value(in: params) })
    }

    init<A: DeclaredParameter, B: DeclaredParameter>(
        _ a: A, _ b: B, isOpen: Bool = false
    ) where Values == (A.Value, B.Value) {
        self.init(
            [a.name, b.name], isOpen: isOpen, describe: { [a.description, b.description] },
            values: { (params) throws(RPCError) in (try a.value(in: params), try b.value(in: params)) })
    }

    init<A: DeclaredParameter, B: DeclaredParameter, C: DeclaredParameter>(
        _ a: A, _ b: B, _ c: C, isOpen: Bool = false
    ) where Values == (A.Value, B.Value, C.Value) {
        self.init(
            [a.name, b.name, c.name], isOpen: isOpen, describe: { [a.description, b.description, c.description] },
            values: { (params) throws(RPCError) in
                (try a.value(in: params), try b.value(in: params), try c.value(in: params))
            })
    }

    init<
        A: DeclaredParameter, B: DeclaredParameter, C: DeclaredParameter, D: DeclaredParameter, E: DeclaredParameter
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, isOpen: Bool = false
    ) where Values == (A.Value, B.Value, C.Value, D.Value, E.Value) {
        self.init(
            [a.name, b.name, c.name, d.name, e.name], isOpen: isOpen,
            describe: { [a.description, b.description, c.description, d.description, e.description] },
            values: { (params) throws(RPCError) in
                (
                    try a.value(in: params), try b.value(in: params), try c.value(in: params),
                    try d.value(in: params), try e.value(in: params)
                )
            })
    }

    init<A: DeclaredParameter, B: DeclaredParameter, C: DeclaredParameter, D: DeclaredParameter>(
        _ a: A, _ b: B, _ c: C, _ d: D, isOpen: Bool = false
    ) where Values == (A.Value, B.Value, C.Value, D.Value) {
        self.init(
            [a.name, b.name, c.name, d.name], isOpen: isOpen,
            describe: { [a.description, b.description, c.description, d.description] },
            values: { (params) throws(RPCError) in
                (
                    try a.value(in: params), try b.value(in: params), try c.value(in: params),
                    try d.value(in: params)
                )
            })
    }

    init<
        A: DeclaredParameter, B: DeclaredParameter, C: DeclaredParameter, D: DeclaredParameter, E: DeclaredParameter,
        F: DeclaredParameter
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, isOpen: Bool = false
    ) where Values == (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value) {
        self.init(
            [a.name, b.name, c.name, d.name, e.name, f.name], isOpen: isOpen,
            describe: { [a.description, b.description, c.description, d.description, e.description, f.description] },
            values: { (params) throws(RPCError) in
                (
                    try a.value(in: params), try b.value(in: params), try c.value(in: params),
                    try d.value(in: params), try e.value(in: params), try f.value(in: params)
                )
            })
    }

    init<
        A: DeclaredParameter, B: DeclaredParameter, C: DeclaredParameter, D: DeclaredParameter, E: DeclaredParameter,
        F: DeclaredParameter, G: DeclaredParameter
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, isOpen: Bool = false
    ) where Values == (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value) {
        self.init(
            [a.name, b.name, c.name, d.name, e.name, f.name, g.name], isOpen: isOpen,
            describe: {
                [
                    a.description, b.description, c.description, d.description, e.description, f.description,
                    g.description,
                ]
            },
            values: { (params) throws(RPCError) in
                (
                    try a.value(in: params), try b.value(in: params), try c.value(in: params),
                    try d.value(in: params), try e.value(in: params), try f.value(in: params),
                    try g.value(in: params)
                )
            })
    }
}
