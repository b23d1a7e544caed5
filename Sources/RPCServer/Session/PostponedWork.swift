import JSON
import Protocol

extension Work {
    /// A request that begins when other work is done.
    ///
    /// - Parameter params: the request's params as JSON; nil for none.
    init(of handler: any Handler, _ params: [UInt8]?, in session: Session, after other: Task<Void, Never>) {
        self.init(speaking: { scope async throws(RPCError) in
            await other.value
            if Task.isCancelled { throw RPCError(.requestCancelled, "the request was cancelled") }
            var result = JSONWriter()
            switch try Self.begin(handler, params, in: session, result: &result) {
            case .answered: return WrittenResult(json: result.bytes)
            case .work(let work): return try await work.run(scope)
            }
        })
    }

    private static func begin(
        _ handler: any Handler, _ params: [UInt8]?, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        guard let params else { return try handler.begin(ParamsReader(nil), in: session, result: &result) }
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(params)
        } catch {
            throw RPCError(.internalError, "the params cannot be read again: \(error.reason)")
        }
        return try document.withRoot { (root) throws(RPCError) in
            try handler.begin(ParamsReader(root), in: session, result: &result)
        }
    }
}

/// A result that is written already.
struct WrittenResult: RPCResult {
    let json: [UInt8]

    func write(to writer: inout JSONWriter) { writer.splice(json) }
}
