import JSON

/// A field name with dots, such as `labels.name`, and the members that it selects in an item.
package enum FieldPath {
    /// Whether a value contains a field. An array contains a field if one of its elements does. Null and an empty array
    /// do not show which fields exist, so they count as containing every field.
    static func contains(_ path: ArraySlice<Substring>, _ view: JSONView) -> Bool {
        guard let name = path.first else { return true }
        switch view.kind {
        case .object: return view[String(name)].map { $0.isNull || contains(path.dropFirst(), $0) } ?? false
        case .array:
            var isEmpty = true
            for element in view.elements {
                if contains(path, element) { return true }
                isEmpty = false
            }
            return isEmpty
        default: return false
        }
    }

    /// Corrects a misspelt field name. Returns the most similar name of a field that the item contains; nil if no field
    /// is similar.
    ///
    /// Only the first wrong part of a dotted name is corrected. Array indices are removed from the name.
    package static func similar(to name: String, in item: JSONView) -> String? {
        guard name.utf8.count <= Suggestion.maxLength else { return nil }
        let path = name.split(separator: ".")
        if path.isEmpty { return nil }
        let dotted = path.count > 1 ? keys(of: item).filter { $0.contains(".") } : []
        if let near = Suggestion.nearest(to: name, in: dotted) { return near }
        return corrected(path[...], [], item).flatMap { contains($0[...], item) ? $0.joined(separator: ".") : nil }
    }

    private static func corrected(
        _ path: ArraySlice<Substring>, _ start: [Substring], _ view: JSONView
    ) -> [Substring]? {
        guard let name = path.first else { return start }
        let rest = path.dropFirst()
        switch view.kind {
        case .object:
            if let value = view[String(name)] { return corrected(rest, start + [name], value) }
            return Suggestion.nearest(to: String(name), in: keys(of: view)).map { start + [Substring($0)] + rest }
        case .array:
            if Int(name) != nil { return corrected(rest, start, view) }
            for element in view.elements where element.kind == .object { return corrected(path, start, element) }
            return nil
        default: return nil
        }
    }

    private static func keys(of view: JSONView) -> [String] { view.members.compactMap { $0.key.string } }
}
