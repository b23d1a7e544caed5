import JSON

/// Returns the fault of a text; nil if there is none.
func faultIn(bytes: some Sequence<UInt8>, as dialect: JSONDialect = .json) -> JSONFault? {
    do {
        _ = try JSONDocument(Array(bytes), as: dialect)
        return nil
    } catch {
        return error
    }
}

/// Returns the fault of a text; nil if there is none.
func faultIn(_ text: String, as dialect: JSONDialect = .json) -> JSONFault? { faultIn(bytes: text.utf8, as: dialect) }

/// Parses a text and writes it again.
func rewritten(_ bytes: [UInt8], as dialect: JSONDialect = .json) throws(JSONFault) -> [UInt8] {
    try JSONDocument(bytes, as: dialect).withRoot { view in
        var writer = JSONWriter()
        writer.value(view)
        return writer.bytes
    }
}

/// Parses a text and writes it again.
func rewritten(_ text: String, as dialect: JSONDialect = .json) throws(JSONFault) -> String {
    String(decoding: try rewritten(Array(text.utf8), as: dialect), as: UTF8.self)
}

/// Calls `body` with the root value of a text.
func withView<Result>(of text: String, _ body: (JSONView) throws -> Result) throws -> Result {
    try JSONDocument(Array(text.utf8)).withRoot(body)
}
