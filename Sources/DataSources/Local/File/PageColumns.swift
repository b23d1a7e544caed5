import JSON
import Model

/// The columns of a page that are texts of JSON values: the ids of its items, and what comes next in its list.
enum PageColumns {
    static func text(of ids: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for id in ids { writer.string(id) }
        writer.endArray()
        return writer.bytes
    }

    /// The JSON of a token; `null` if no page comes next.
    static func text(of next: PageToken?) -> String { (next?.json ?? .null).text }

    /// Reads the text of ids; nil if `text(of:)` did not write it.
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

    /// Reads the text of a next token, which may be none; nil if `text(of:)` did not write it.
    static func next(_ text: String) -> PageToken?? {
        guard let document = try? JSONDocument(Array(text.utf8)) else { return nil }
        return document.withRoot { root -> PageToken?? in
            if root.isNull { return .some(nil) }
            let token = root.integer.map { PageToken.number($0) } ?? root.string.map { .opaque($0) }
            return token.map { .some($0) }
        }
    }
}
