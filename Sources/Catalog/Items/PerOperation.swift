/// The operations that a resource may have.
public enum OperationName: String, CaseIterable, Sendable {
    case get, getMany, list
}

/// Something that may differ from operation to operation.
public struct PerOperation<Value: Equatable & Sendable>: Equatable, Sendable {
    @usableFromInline let common: Value
    @usableFromInline let own: [OperationName: Value]

    /// The same for all operations but those with one of their own.
    public init(_ common: Value, own: [OperationName: Value] = [:]) {
        self.common = common
        self.own = own
    }

    /// The same with something made of each.
    func map<Other>(_ transform: (Value) -> Other) -> PerOperation<Other> {
        PerOperation<Other>(transform(common), own: own.mapValues(transform))
    }

    /// Everything that any operation has.
    public var all: [Value] { [common] + own.values }

    /// What an operation has. `getMany` has what `get` has, where nothing else is said: both answer with whole items.
    @inlinable
    public subscript(operation: OperationName) -> Value {
        if own.isEmpty { return common }
        return own[operation] ?? (operation == .getMany ? own[.get] : nil) ?? common
    }
}
