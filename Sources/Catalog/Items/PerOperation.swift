/// The operations that a resource can have.
public enum OperationName: String, CaseIterable, Sendable {
    case get, getMany, list
}

/// A value that can differ between the operations of a resource.
public struct PerOperation<Value: Equatable & Sendable>: Equatable, Sendable {
    @usableFromInline let common: Value
    @usableFromInline let own: [OperationName: Value]

    /// Creates a value with a common part, and separate values for some operations.
    public init(_ common: Value, own: [OperationName: Value] = [:]) {
        self.common = common
        self.own = own
    }

    /// Returns the result of transforming each value.
    func map<Other>(_ transform: (Value) -> Other) -> PerOperation<Other> {
        PerOperation<Other>(transform(common), own: own.mapValues(transform))
    }

    /// All values: the common one, and those of single operations.
    public var all: [Value] { [common] + own.values }

    /// Returns the value of an operation. `getMany` uses the value of `get` if it has none of its own, because both
    /// return whole items.
    @inlinable
    public subscript(operation: OperationName) -> Value {
        if own.isEmpty { return common }
        return own[operation] ?? (operation == .getMany ? own[.get] : nil) ?? common
    }
}
