import JSON

/// Writes replies to the client. Each reply is one JSON object on one line.
public enum Reply {
    /// Starts a reply that contains a result. The caller writes the result, and then calls `endResult`.
    public static func beginResult(_ id: RequestID, to writer: inout JSONWriter) {
        writer.append("{\"jsonrpc\":\"2.0\",\"id\":")
        writer.append(id.json)
        writer.append(",\"result\":")
        writer.beginText()
    }

    /// Starts a reply with a result. For a notification (`id` is nil) the caller must discard the reply.
    ///
    /// - Parameter id: the id of the request, which becomes the id of the reply.
    public static func beginResult(_ id: JSONView?, to writer: inout JSONWriter) {
        writer.append("{\"jsonrpc\":\"2.0\",\"id\":")
        writer.beginText()
        if let id { writer.value(id) } else { writer.null() }
        writer.append(",\"result\":")
        writer.beginText()
    }

    /// Completes a reply after the caller has written its result.
    public static func endResult(to writer: inout JSONWriter) {
        writer.append(byte: UInt8(ascii: "}"))
    }

    /// Writes a complete reply with an error.
    public static func error(_ error: RPCError, id: RequestID, to writer: inout JSONWriter) {
        writer.append("{\"jsonrpc\":\"2.0\",\"id\":")
        writer.append(id.json)
        writer.append(",\"error\":")
        writer.beginText()
        error.write(to: &writer)
        writer.append("}")
    }
}

/// Creates notifications to the client (JSON-RPC 2.0, section 4.1). Each notification is one JSON object on one line.
public enum Notification {
    /// Returns a complete notification.
    ///
    /// - Parameter writeParams: writes the params as one JSON object.
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
