import System

/// What is said of the name of a type that is none.
enum TypeNames {
    /// What other languages and formats call the types.
    private static let meant = [
        "int": "integer", "int32": "integer", "int64": "integer", "long": "integer", "bool": "boolean",
        "float": "number", "double": "number", "decimal": "number", "str": "string", "text": "string",
        "id": "string", "uuid": "string", "datetime": "date", "date-time": "date", "timestamp": "date",
        "object": "any", "json": "any",
    ]

    /// The fault of a type that is not known.
    ///
    /// - Parameters:
    ///   - text: the type as it is written.
    ///   - known: the names that there are.
    ///   - isElement: whether it stands alone in an array.
    static func fault(_ text: String, known: [String], isElement: Bool) -> String {
        let name = text.hasSuffix("?") ? String(text.dropLast()) : text
        let own = meant[name.lowercased()].flatMap { known.contains($0) ? $0 : nil }
        if let near = own ?? Spelling.nearest(to: name, in: known) {
            return "unknown type '\(text)'; did you mean '\(near)'?"
        }
        let array = isElement ? "; one text in an array is its type, and an enumeration has two or more values" : ""
        return "unknown type '\(text)'; known are \(known.joined(separator: ", "))\(array)"
    }
}
