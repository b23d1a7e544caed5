import System

/// Suggests the correct name for an unknown type in a catalog.
enum TypeNames {
    /// Type names from other languages, each with the name of the equivalent catalog type.
    private static let aliases = [
        "int": "integer", "int32": "integer", "int64": "integer", "long": "integer", "bool": "boolean",
        "float": "number", "double": "number", "decimal": "number", "str": "string", "text": "string",
        "id": "string", "uuid": "string", "datetime": "date", "date-time": "date", "timestamp": "date",
        "object": "any", "json": "any",
    ]

    /// Returns the error message for an unknown type.
    ///
    /// - Parameters:
    ///   - text: the unknown type in the catalog.
    ///   - known: the names of all types.
    ///   - isElement: whether the unknown type is the only element of an array.
    static func fault(_ text: String, known: [String], isElement: Bool) -> String {
        let name = text.hasSuffix("?") ? String(text.dropLast()) : text
        let own = aliases[name.lowercased()].flatMap { known.contains($0) ? $0 : nil }
        if let near = own ?? Spelling.nearest(to: name, in: known) {
            return "unknown type '\(text)'; did you mean '\(near)'?"
        }
        let array = isElement ? "; one element in an array is a type, two or more are an enumeration" : ""
        return "unknown type '\(text)'; known types: \(known.joined(separator: ", "))\(array)"
    }
}
