/// One function from one shape to another.
public protocol MapperContract<Input, Output>: Sendable {
    /// What goes in.
    associatedtype Input
    /// What comes out.
    associatedtype Output
    /// What may go wrong; `Never` for a mapping that always succeeds.
    associatedtype Failure: Error = Never

    /// Maps one value.
    func map(_ input: Input) throws(Failure) -> Output
}
