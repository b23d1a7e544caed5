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

    /// `null` where nothing comes next: NULL is what rows of older versions have.
    static func text(of next: PageToken?) -> String { (next?.json ?? .null).text }

    /// Nil where the text is not what `text(of:)` makes.
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

    /// How many pages a list has, and which one comes next: from the columns, or of a row that an older version wrote,
    /// where `next` is NULL, from the info. Nil where the column is not what `text(of:)` makes.
    static func course(next: String?, pages: Int?, info: [UInt8]) -> (pages: Int?, next: PageToken?)? {
        guard let next else {
            guard let info = try? JSONDocument(info) else { return (nil, nil) }
            return info.withRoot { ($0["pages"]?.integer, $0["next"].flatMap(token)) }
        }
        guard let next = try? JSONDocument(Array(next.utf8)) else { return nil }
        return next.withRoot { next in
            let token = token(next)
            return token == nil && !next.isNull ? nil : (pages, token)
        }
    }

    private static func token(_ view: JSONView) -> PageToken? {
        view.integer.map { .number($0) } ?? view.string.map { .opaque($0) }
    }
}
