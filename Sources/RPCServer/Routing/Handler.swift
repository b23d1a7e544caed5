import JSON
import Protocol

/// Answers one method, and says what the method is.
protocol Handler: Sendable {
    /// What the method takes.
    associatedtype Params: MethodParams

    /// What the method is, for `rpc.discover`; made when that is asked for.
    var description: MethodDescription { get }

    /// Called on the reader's thread: either writes the result at once or says what is to be done for it.
    ///
    /// It must not wait. What it wrote before it throws, or before it returns work, is taken back.
    func begin(_ params: Params, result: inout JSONWriter) throws(RPCError) -> Step

    /// The same, with params that are not yet read.
    func begin(_ params: ParamsReader, result: inout JSONWriter) throws(RPCError) -> Step
}

extension Handler {
    // A requirement with this one body, and no function beside the protocol, so that it is compiled for each handler.
    func begin(_ params: ParamsReader, result: inout JSONWriter) throws(RPCError) -> Step {
        try begin(Params(params), result: &result)
    }

    /// What the method takes, as its params are read, with what a catalog narrows.
    var parameters: [ParameterDescription] {
        Params.declared.descriptions.map { parameter in
            var parameter = parameter
            if let narrowed = description.narrowed[parameter.name] { parameter.schema = narrowed }
            return parameter
        }
    }
}

/// What a handler made of a request.
enum Step {
    /// The result is written.
    case answered
    /// The result takes work.
    case work(Work)
}

/// The work for a request, done in a task of its own.
struct Work: Sendable {
    /// Whether it changes state, and so takes effect in the order of arrival.
    var isOrdered = false
    /// Does it.
    let run: @Sendable () async throws(RPCError) -> any RPCResult
}
