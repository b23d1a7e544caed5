/// The params of a method: read by a list that also describes them.
public protocol MethodParams {
    /// The type of the list: a `ParameterList`.
    associatedtype Declared: DescribedParameters
    /// All parameters, required ones first.
    static var declared: Declared { get }
    /// Reads the params.
    ///
    /// - Throws: `invalidParams` that names the parameter and what was expected.
    init(_ reader: ParamsReader) throws(RPCError)
}

/// Parameters that can be described.
public protocol DescribedParameters: Sendable {
    var descriptions: [ParameterDescription] { get }
}

/// The params of a method that takes none.
public struct NoParams: MethodParams, Equatable, Sendable {
    public static let declared = ParameterList()

    public init(_ reader: ParamsReader) throws(RPCError) { try Self.declared.read(reader) }
}

/// The params of a method that ignores whatever it is given.
public struct IgnoredParams: MethodParams, Equatable, Sendable {
    public static let declared = ParameterList(isOpen: true)

    public init(_ reader: ParamsReader) throws(RPCError) { try Self.declared.read(reader) }
}
