import JSON
import Protocol

/// What `body` makes of a text's root value.
func withView<Result>(of text: String, _ body: (JSONView) throws -> Result) throws -> Result {
    try JSONDocument(Array(text.utf8)).withRoot(body)
}

/// What `body` writes.
func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// The error that params get, or nil where they are read.
func refusal<Params>(of text: String?, by read: (ParamsReader) throws(RPCError) -> Params) throws -> RPCError? {
    do {
        _ = try params(text, by: read)
        return nil
    } catch let error as RPCError {
        return error
    }
}

/// The params read from a text; nil stands for no params.
func params<Params>(_ text: String?, by read: (ParamsReader) throws(RPCError) -> Params) throws -> Params {
    guard let text else { return try read(ParamsReader(nil)) }
    return try withView(of: text) { try read(ParamsReader($0)) }
}
