import JSON

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
