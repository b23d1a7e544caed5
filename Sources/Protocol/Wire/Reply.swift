import JSON

/// The replies and notifications that go out, each one JSON object without a newline.
public enum Reply {
    /// Opens a reply with a result; the result is written next, then `endResult`.
    public static func beginResult(_ id: RequestID, to writer: inout JSONWriter) {
        writer.append("{\"jsonrpc\":\"2.0\",\"id\":")
        writer.append(id.json)
        writer.append(",\"result\":")
        writer.beginText()
    }

    /// Opens a reply to an id in place; a notification's reply, which nobody gets, has id null.
    public static func beginResult(_ id: JSONView?, to writer: inout JSONWriter) {
        writer.append("{\"jsonrpc\":\"2.0\",\"id\":")
        writer.beginText()
        if let id { writer.value(id) } else { writer.null() }
        writer.append(",\"result\":")
        writer.beginText()
    }

    /// Closes a reply with a result.
    public static func endResult(to writer: inout JSONWriter) {
        writer.append("}")
    }

    /// A whole reply with an error.
    public static func error(_ error: RPCError, id: RequestID, to writer: inout JSONWriter) {
        writer.append("{\"jsonrpc\":\"2.0\",\"id\":")
        writer.append(id.json)
        writer.append(",\"error\":")
        writer.beginText()
        error.write(to: &writer)
        writer.append("}")
    }
}

/// The notifications that go out (JSON-RPC 2.0, section 4.1), each one JSON object without a newline.
public enum Notification {
    /// A whole notification, whose params are what `writeParams` writes: one JSON object.
    public static func message(_ method: String, _ writeParams: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.append("{\"jsonrpc\":\"2.0\",\"method\":")
        writer.beginText()
        writer.string(method)
        writer.append(",\"params\":")
        writer.beginText()
        writeParams(&writer)
        writer.append("}")
        return writer.bytes
    }
}
