/// A conversion from one type to another.
///
/// The result depends only on the input and the mapper's settings.
public protocol MapperContract<Input, Output, Failure>: Sendable {
    associatedtype Input
    associatedtype Output
    /// The error that a conversion throws; `Never` if every input can be converted.
    associatedtype Failure: Error

    func map(_ input: Input) throws(Failure) -> Output
}
