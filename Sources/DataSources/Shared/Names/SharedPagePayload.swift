import JSON
import Model
import System

/// The JSON format of a page in the shared level.
enum SharedPagePayload {
    static func encode(_ page: PageEntity) -> [UInt8] {
        var writer = JSONWriter(capacity: page.info.count + page.ids.count * 12 + 64)
        writer.beginObject()
        writer.key("ids")
        writer.splice(PageColumns.text(of: page.ids))
        writer.key("partial")
        writer.bool(page.isPartial)
        if let count = page.count {
            writer.key("count")
            writer.integer(count)
        }
        if let pages = page.pages {
            writer.key("pages")
            writer.integer(pages)
        }
        if let next = page.next, next != .first {
            writer.key("next")
            writer.value(next.json)
        }
        // The second line of the page info lists the invalid items that the page omits.
        let lines = page.info.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
        if let info = lines.first {
            writer.key("info")
            writer.splice(Array(info))
        }
        if lines.count > 1 {
            writer.key("skipped")
            writer.splice(Array(lines[1]))
        }
        writer.endObject()
        return writer.bytes
    }

    /// Decodes a page. Returns nil for invalid text.
    static func decode(
        _ text: [UInt8], as key: PageKey, fetchedAt: Timestamp, validators: Validators?
    ) -> PageEntity? {
        guard let document = try? JSONDocument(text) else { return nil }
        return document.withRoot { root -> PageEntity? in
            guard let ids = root["ids"].flatMap({ PageColumns.ids(Array($0.token)) }),
                let isPartial = root["partial"]?.bool, let info = root["info"], info.kind == .object,
                let next = PageColumns.next(root["next"].map { String(decoding: $0.token, as: UTF8.self) } ?? "null")
            else { return nil }
            let skipped = root["skipped"].map { [UInt8(ascii: "\n")] + Array($0.token) } ?? []
            return PageEntity(
                key: key, ids: ids, isPartial: isPartial, info: Array(info.token) + skipped, fetchedAt: fetchedAt,
                count: root["count"]?.integer, pages: root["pages"]?.integer, next: next, validators: validators)
        }
    }
}
