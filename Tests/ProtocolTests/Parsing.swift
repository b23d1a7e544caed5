import JSON
import Protocol

/// Calls `body` with the root value of a text.
func withView<Result>(of text: String, _ body: (JSONView) throws -> Result) throws -> Result {
    try JSONDocument(Array(text.utf8)).withRoot(body)
}

/// Returns the JSON text that `body` writes.
func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// Returns the error for params; nil if they are accepted.
func refusal<Params>(of text: String?, by read: (ParamsReader) throws(RPCError) -> Params) throws -> RPCError? {
    do {
        _ = try params(text, by: read)
        return nil
    } catch let error as RPCError {
        return error
    }
}

/// Decodes params from a JSON text; nil means no params.
func params<Params>(_ text: String?, by read: (ParamsReader) throws(RPCError) -> Params) throws -> Params {
    guard let text else { return try read(ParamsReader(nil)) }
    return try withView(of: text) { try read(ParamsReader($0)) }
}
