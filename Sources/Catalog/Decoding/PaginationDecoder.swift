import JSON
import System

/// A style as `pagination` declares it.
protocol DeclaredPagination: PaginationContract {
    /// The style's name.
    static var name: String { get }
    /// The keys that it has beside `style`.
    static var keys: [CatalogKey] { get }
    /// What it is, for the JSON Schema.
    static var summary: String { get }

    /// The pagination that an object declares; nil, with a fault, where it cannot be one.
    static func decode(_ object: CatalogObject) -> Self?
}

extension DeclaredPagination {
    /// Its part of the format.
    static var part: CatalogPart { .pagination(name, summary, keys) }
}

/// Reads `pagination`: the styles that there are, and which one is meant.
struct PaginationDecoder {
    static let styles: [any DeclaredPagination.Type] = [
        PageNumberPagination.self, OffsetPagination.self, CursorPagination.self, NextURLPagination.self,
        LinkPagination.self, RelayPagination.self, SlicePagination.self,
    ]

    let reader: CatalogReader
    /// Whether an answer can name pages by URLs.
    var hasURLs = true

    /// The pagination of a list; nil, with a fault, where it is none.
    func decode(_ view: JSONView, of list: CatalogObject) -> Pagination? {
        let style = view.kind == .object ? view["style"] : nil
        let meant = Self.styles.first { style?.isString($0.name) == true }
        // Where the style is wrong, a key of any of them may be meant.
        let keys = ["style"] + (meant.map { [$0] } ?? Self.styles).flatMap { $0.keys.map(\.name) }
        guard let object = reader.object(view, "'pagination' in \(list.what)", keys: keys) else {
            return nil
        }
        if let meant, meant.usesURLs, !hasURLs, let style {
            reader.fault(
                "the style \"\(meant.name)\" goes with 'rest': an answer over GraphQL names no URLs", at: style)
            return nil
        }
        let place = object.value("in", "\"query\" or \"body\"") {
            $0.string.flatMap { ListParameter.Place(rawValue: $0) }
        }
        if let view = object["in"], list["method"]?.isString("POST") != true {
            reader.fault("'in' goes with \"method\": \"POST\", which has a body", at: view)
        }
        if let meant {
            return meant.decode(object).map { style in
                var pagination = Pagination(style)
                pagination.place = place
                return pagination
            }
        }
        if let style = object.required("style") { reader.fault(Self.unknown(style), at: style) }
        return nil
    }

    private static func unknown(_ style: JSONView) -> String {
        let names = styles.map { $0.name }
        let known = names.map { "\"\($0)\"" }.joined(separator: ", ")
        let nearest = style.string.flatMap { Spelling.nearest(to: $0, in: names) }
        let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
        return "'style' must be one of \(known)\(hint)"
    }
}
