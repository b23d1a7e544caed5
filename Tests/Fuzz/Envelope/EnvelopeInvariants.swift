import FuzzSupport
import JSON
import Protocol

/// Tests one input: a message. The reply to an invalid message must be an error with the id of the message.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEnvelope(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let message = UnsafeRawBufferPointer(start: start, count: count)
    var tape = JSONTape()
    guard (try? tape.parse(message)) != nil else { return 0 }
    tape.withRoot(in: message) { root in
        checkRequest(root)
        for entry in root.elements { checkRequest(entry) }
        // Every object is also read as params, so that the fuzzer need not first find a valid request for each method.
        checkParams(root)
    }
    return 0
}

private func checkRequest(_ view: JSONView) {
    let id = view["id"].flatMap { RequestID($0) }
    do throws(Envelope.Refusal) {
        let envelope = try Envelope(view)
        require(view["jsonrpc"]?.string == "2.0", "another version was accepted")
        require(view["method"]?.string == envelope.method, "another method was read")
        require(envelope.id == id, "another id was read")
        require((envelope.idView == nil) == (view["id"] == nil), "a request and a notification were mixed up")
        checkReply(id: id ?? .null, idView: envelope.idView)
        checkParams(envelope.params)
    } catch {
        require(error.error.code == .invalidRequest, "a bad request has the code \(error.error.code)")
        require(error.id == id ?? .null, "a bad request's id was lost")
        checkError(error.error, id: error.id)
    }
}

/// Checks that both functions that begin a reply write the same id, equal to the id of the request.
private func checkReply(id: RequestID, idView: JSONView?) {
    var kept = JSONWriter()
    Reply.beginResult(id, to: &kept)
    kept.null()
    Reply.endResult(to: &kept)
    var inPlace = JSONWriter()
    Reply.beginResult(idView, to: &inPlace)
    inPlace.null()
    Reply.endResult(to: &inPlace)
    require(kept.bytes == inPlace.bytes, "two ways to reply differ")
    checkReply(kept.bytes, id: id, value: "result")
}

func checkError(_ error: RPCError, id: RequestID) {
    require(!error.message.isEmpty, "an error without words")
    var writer = JSONWriter()
    Reply.error(error, id: id, to: &writer)
    checkReply(writer.bytes, id: id, value: "error")
}

/// Checks that a reply is one line of JSON with the id of the request.
private func checkReply(_ bytes: [UInt8], id: RequestID, value: String) {
    requireOneLine(bytes)
    guard let reply = try? JSONDocument(bytes) else { return require(false, "a reply is not JSON") }
    reply.withRoot { reply in
        require(reply.members.map { $0.key.string } == ["jsonrpc", "id", value], "a reply of another shape")
        require(reply["id"].flatMap { RequestID($0) } == id, "the id that goes back is another one")
    }
}

/// Mutates an input for libFuzzer.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateEnvelope(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: UInt32) -> Int {
    mutateJSON(data, count, capacity, seed: seed)
}
