import JSON

/// Reads a document in JSON or YAML.
enum DocumentText {
    /// Converts a document to JSON. A document that starts with `{` or `[` is first parsed as JSON. If this fails, or
    /// if the document starts with another character, it is parsed as YAML.
    ///
    /// - Throws: `CatalogDraftError` with the line and the column of the fault.
    static func json(_ bytes: [UInt8]) throws(CatalogDraftError) -> JSONDocument {
        var fault: JSONFault?
        if looksLikeJSON(bytes) {
            do throws(JSONFault) { return try JSONDocument(skippingBOM: bytes) } catch { fault = error }
        }
        do throws(YAMLFault) {
            return try parsed(try YAMLDocument.json(bytes))
        } catch {
            if let fault { throw CatalogDraftError("the document is not JSON: \(fault.description(in: bytes))") }
            throw CatalogDraftError("the document is not YAML: \(error.description)")
        }
    }

    private static func parsed(_ json: [UInt8]) throws(YAMLFault) -> JSONDocument {
        do throws(JSONFault) {
            return try JSONDocument(json)
        } catch {
            throw YAMLFault(reason: error.reason, line: 1, column: 1)
        }
    }

    private static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let first = bytes[start...].first { $0 > 0x20 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
