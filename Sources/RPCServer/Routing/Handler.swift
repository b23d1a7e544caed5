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
        let description = description
        return Params.declared.descriptions.map { parameter in
            var parameter = parameter
            if description.required.contains(parameter.name) { parameter.isRequired = true }
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
    let isOrdered: Bool
    /// Does it.
    let run: @Sendable (Scope) async throws(RPCError) -> any RPCResult

    /// Work that says nothing but its result.
    init(isOrdered: Bool = false, _ run: @escaping @Sendable () async throws(RPCError) -> any RPCResult) {
        self.isOrdered = isOrdered
        self.run = { (_) async throws(RPCError) in try await run() }
    }

    /// Work that speaks to the client besides.
    init(speaking run: @escaping @Sendable (Scope) async throws(RPCError) -> any RPCResult) {
        isOrdered = false
        self.run = run
    }
}

/// To whom the work for a request may speak besides its reply.
struct Scope: Sendable {
    /// Takes notifications, also after the reply.
    let client: any MessageSink
    /// Hears how far the work is; nil where nobody asked.
    let progress: Progress?
}
