import Model

/// A path with places for an id (`/api/character/{id}`), for several (`/api/character/{ids}`), or for the values of a
/// scope (`/repos/{owner}/{repo}/issues`).
public struct PathTemplate: Equatable, Sendable {
    /// The path as written, what stands for `${...}` filled in; empty where the base URL itself is asked.
    public let text: String
    /// Whether something stood for `${...}`: then the declaration alone does not say what is asked.
    var isExpanded = false
    private let template: TextTemplate

    /// The names of its places.
    public var places: [String] { template.places }

    /// A template; a reason where the text is none.
    ///
    /// - Parameter known: the names that a place may have.
    static func parse(_ text: String, places known: [String]) -> Result<PathTemplate, CatalogMessage> {
        guard text.hasPrefix("/") || text.isEmpty else { return .failure("must begin with '/'") }
        guard !text.contains("?"), !text.contains("#") else {
            return .failure("must not have a query or a fragment; put constant parameters into 'query'")
        }
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            return .failure("must not have spaces or control characters")
        }
        let parts = text.split(separator: "{", omittingEmptySubsequences: false)
        guard parts.first?.contains("}") != true else { return .failure("has a '}' without a '{'") }
        for part in parts.dropFirst() {
            guard part.count(where: { $0 == "}" }) == 1 else { return .failure("must close each '{' with one '}'") }
            let name = part.prefix { $0 != "}" }.drop { $0 == "+" }
            guard known.contains(String(name)) else {
                let places = known.map { "'{\($0)}'" }.joined(separator: ", ")
                return .failure(
                    CatalogMessage(
                        known.isEmpty
                            ? "cannot have placeholders here" : "has the unknown placeholder '{\(name)}'; use \(places)"
                    ))
            }
        }
        return .success(PathTemplate(text: text, template: TextTemplate(text, places: known)))
    }

    /// A template of a text that was looked at before.
    private init(text: String, template: TextTemplate) {
        self.text = text
        self.template = template
    }

    /// The path of what has none.
    static let root = PathTemplate(text: "/", template: TextTemplate("/"))

    /// The path with its places filled, percent-encoded so that no value can leave its segment; after `{+` a value may
    /// have segments of its own.
    ///
    /// - Throws: `TemplateError` for an empty value, and for a segment `.` or `..` as `DotSegments` finds it.
    public func path(_ values: PlaceValues = PlaceValues()) throws(TemplateError) -> String {
        let places = places
        guard !places.isEmpty else { return text }
        for place in places {
            let texts = values.texts(of: place)
            guard !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }) else {
                throw TemplateError(
                    place == "id" || place == "ids" ? "an id must not be empty" : "'\(place)' must not be empty")
            }
        }
        let path = template.filled(values) { value, keepsReserved in
            keepsReserved
                ? PercentEncoding.encode(value, keeping: PercentEncoding.pathReserved) : PercentEncoding.encode(value)
        }
        let leading = places.filter { place in values.texts(of: place).contains { DotSegments.areFound(in: $0) } }
        // Text of the template and a value can make such a segment together.
        guard leading.isEmpty, !DotSegments.areFound(in: path) else {
            let told = (leading.isEmpty ? places : leading).map { place in
                "'\(place)' is '\(values.texts(of: place).joined(separator: ",").prefix(200))'"
            }
            throw TemplateError("\(told.joined(separator: " and ")), which would change the path")
        }
        return path
    }
}

/// A phrase that completes "`'path' …`" in a catalog fault.
package struct CatalogMessage: Error, Equatable, ExpressibleByStringLiteral, Sendable {
    package let message: String

    package init(stringLiteral message: String) { self.message = message }
    package init(_ message: String) { self.message = message }
}
