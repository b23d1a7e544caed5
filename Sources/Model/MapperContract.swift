/// One function from one shape to another.
///
/// The result depends on the input and on what the mapper was made with; a mapper remembers no input.
public protocol MapperContract<Input, Output, Failure>: Sendable {
    associatedtype Input
    associatedtype Output
    /// The error of the function: `Never` if every input has an output.
    associatedtype Failure: Error

    func map(_ input: Input) throws(Failure) -> Output
}
