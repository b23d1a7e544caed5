import JSON
import Model

/// Encodes and decodes the JSON columns of stored pages: the item ids and the token of the next page.
enum PageColumns {
    static func text(of ids: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for id in ids { writer.string(id) }
        writer.endArray()
        return writer.bytes
    }

    /// Returns the token of the next page as JSON, such as `2` or `"abc"`. Returns `null` if there is no next page.
    static func text(of next: PageToken?) -> String { (next?.json ?? .null).text }

    /// Decodes the ids of a page's items. Returns nil for invalid text.
    static func ids(_ text: [UInt8]) -> [String]? {
        guard let document = try? JSONDocument(text) else { return nil }
        return document.withRoot { root -> [String]? in
            guard root.kind == .array else { return nil }
            var ids: [String] = []
            ids.reserveCapacity(root.elements.reduce(0) { count, _ in count + 1 })
            for element in root.elements {
                guard let id = element.string else { return nil }
                ids.append(id)
            }
            return ids
        }
    }

    /// Decodes the token of the next page. Returns nil for invalid text, and `.some(nil)` if there is no next page.
    static func next(_ text: String) -> PageToken?? {
        guard let document = try? JSONDocument(Array(text.utf8)) else { return nil }
        return document.withRoot { root -> PageToken?? in
            if root.isNull { return .some(nil) }
            let token = root.integer.map { PageToken.number($0) } ?? root.string.map { .opaque($0) }
            return token.map { .some($0) }
        }
    }
}
