import JSON
import System

/// A pagination style that a catalog can declare.
protocol DeclaredPagination: PaginationContract {
    /// The value of the key `style` that selects this pagination style.
    static var name: String { get }
    /// The catalog keys of the pagination style, except `style`.
    static var keys: [CatalogKey] { get }
    /// The description of the pagination style in the JSON Schema of catalogs.
    static var summary: String { get }

    /// Decodes a `pagination` object of this style. Reports errors, and returns nil if the object is invalid.
    static func decode(_ object: CatalogObject) -> Self?
}

extension DeclaredPagination {
    /// The definition of a `pagination` object of this style: its keys and the types of their values.
    static var part: CatalogPart { .pagination(name, summary, keys) }
}

/// Decodes `pagination`. Its key `style` contains the name of the pagination style.
struct PaginationDecoder {
    static let styles: [any DeclaredPagination.Type] = [
        PageNumberPagination.self, OffsetPagination.self, CursorPagination.self, NextURLPagination.self,
        LinkPagination.self, RelayPagination.self, SlicePagination.self,
    ]

    let reader: CatalogReader
    /// Whether a response can contain URLs of the next and previous page: true for REST, false for GraphQL.
    var hasURLs = true

    /// Decodes the pagination of a list. Reports errors, and returns nil if the pagination is invalid.
    func decode(_ view: JSONView, of list: CatalogObject) -> Pagination? {
        let style = view.kind == .object ? view["style"] : nil
        let meant = Self.styles.first { style?.isString($0.name) == true }
        // With an unknown style, the keys of all styles are accepted.
        let keys = ["style"] + (meant.map { [$0] } ?? Self.styles).flatMap { $0.keys.map(\.name) }
        guard let object = reader.object(view, "'pagination' in \(list.what)", keys: keys) else {
            return nil
        }
        if let meant, meant.usesURLs, !hasURLs, let style {
            reader.fault(
                "the style \"\(meant.name)\" works only with 'rest': GraphQL answers have no page URLs; use another"
                    + " style", at: style)
            return nil
        }
        let place = object.value("in", "\"query\" or \"body\"") {
            $0.string.flatMap { ListParameter.Place(rawValue: $0) }
        }
        if let view = object["in"], list["method"]?.isString("POST") != true {
            reader.fault(
                "'in' requires a request with a body; add \"method\": \"POST\", or remove 'in'", at: view)
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
