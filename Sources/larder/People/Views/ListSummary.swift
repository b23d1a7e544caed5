import JSON

/// The summary below a printed list, such as `20 of 60 items, page 1 of 3`.
struct ListSummary {
    /// The number of printed items.
    let shown: Int
    /// The number of printed pages.
    let pages: Int
    /// The page info of the last page: `{"current", "pages", "count", "next", ...}`.
    let page: JSONValue
    /// Whether the command omits some items of the last page.
    let isCut: Bool
    /// Whether the command fetches several pages.
    let isPaginated: Bool
    /// Whether the command reads all pages. Then only `--limit` can omit items.
    var isAll = false

    var text: String {
        let count = page["count"]?.int
        let items =
            count.map { $0 == shown ? OriginText.count($0, "item") : "\(shown) of \(OriginText.count($0, "item"))" }
            ?? OriginText.count(shown, "item")
        var parts = [items]
        if isPaginated {
            if pages > 1 { parts.append(OriginText.count(pages, "page")) }
        } else if let current = page["current"]?.int, let pages = page["pages"]?.int, pages > 1 {
            parts.append("page \(current) of \(pages)")
        }
        let next = page["next"] ?? .null
        if isCut || next != .null {
            let name = next.string.map { VisibleText.line($0) } ?? next.text
            // The summary suggests a cursor only if it is short and contains no characters that a shell interprets.
            let isPlain = name.utf8.count <= 40 && name.utf8.allSatisfy { Self.isPlain($0) }
            let more = isAll ? "more: --limit N" : "more: --all"
            parts.append(!isPaginated && !isCut && isPlain ? "next: --page \(name), all: --all" : more)
        }
        return parts.joined(separator: ", ")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "="):
            true
        default: false
        }
    }
}
