/// The kinds of operations that a resource can have.
public enum OperationName: String, CaseIterable, Sendable {
    case get, getMany, list
}

/// A value that can differ between the operations of a resource.
public struct PerOperation<Value: Equatable & Sendable>: Equatable, Sendable {
    @usableFromInline let common: Value
    @usableFromInline let own: [OperationName: Value]

    /// Creates a value for all operations, with exceptions for individual operations.
    ///
    /// - Parameter own: the exceptions.
    public init(_ common: Value, own: [OperationName: Value] = [:]) {
        self.common = common
        self.own = own
    }

    /// Returns a copy in which `transform` has replaced each value.
    func map<Other>(_ transform: (Value) -> Other) -> PerOperation<Other> {
        PerOperation<Other>(transform(common), own: own.mapValues(transform))
    }

    /// The value for all operations, followed by the exceptions for individual operations.
    public var all: [Value] { [common] + own.values }

    /// Returns the value of an operation. If `getMany` has no exception, returns the value of `get`, because both
    /// operations return items with all fields.
    @inlinable
    public subscript(operation: OperationName) -> Value {
        if own.isEmpty { return common }
        return own[operation] ?? (operation == .getMany ? own[.get] : nil) ?? common
    }
}
