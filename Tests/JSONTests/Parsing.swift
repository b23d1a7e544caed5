import JSON

/// The fault of a text; nil where there is none.
func faultIn(bytes: some Sequence<UInt8>, as dialect: JSONDialect = .json) -> JSONFault? {
    do {
        _ = try JSONDocument(Array(bytes), as: dialect)
        return nil
    } catch {
        return error
    }
}

/// The fault of a text; nil where there is none.
func faultIn(_ text: String, as dialect: JSONDialect = .json) -> JSONFault? { faultIn(bytes: text.utf8, as: dialect) }

/// A text as the writer writes it anew.
func rewritten(_ bytes: [UInt8], as dialect: JSONDialect = .json) throws(JSONFault) -> [UInt8] {
    try JSONDocument(bytes, as: dialect).withRoot { view in
        var writer = JSONWriter()
        writer.value(view)
        return writer.bytes
    }
}

/// A text as the writer writes it anew.
func rewritten(_ text: String, as dialect: JSONDialect = .json) throws(JSONFault) -> String {
    String(decoding: try rewritten(Array(text.utf8), as: dialect), as: UTF8.self)
}

/// What `body` makes of a text's root value.
func withView<Result>(of text: String, _ body: (JSONView) throws -> Result) throws -> Result {
    try JSONDocument(Array(text.utf8)).withRoot(body)
}
