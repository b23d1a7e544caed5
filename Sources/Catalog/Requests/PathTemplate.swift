import Model

/// A path with placeholders: for an id (`/api/character/{id}`), for several ids (`/api/character/{ids}`), or for the
/// values of a scope (`/repos/{owner}/{repo}/issues`).
public struct PathTemplate: Equatable, Sendable {
    /// The text of the path. The `${...}` references in this text are already replaced, but the placeholders are not.
    /// An empty path requests the base URL itself.
    public let text: String
    /// Whether the declared path contains `${...}` references. If true, the path depends on values outside the catalog,
    /// such as environment variables.
    var isExpanded = false
    private let template: TextTemplate

    /// The names of the placeholders in the path.
    public var places: [String] { template.places }

    /// Parses a path. If the path is invalid, the failure contains the reason.
    ///
    /// - Parameter known: the names of the allowed placeholders.
    static func parse(_ text: String, places known: [String]) -> Result<PathTemplate, CatalogMessage> {
        guard text.hasPrefix("/") || text.isEmpty else { return .failure("the path must begin with '/'") }
        guard !text.contains("?"), !text.contains("#") else {
            return .failure("the path must not have a query or a fragment; put constant parameters into 'query'")
        }
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            return .failure("the path must not have spaces or control characters; percent-encode them")
        }
        let parts = text.split(separator: "{", omittingEmptySubsequences: false)
        guard parts.first?.contains("}") != true else {
            return .failure("the path has a '}' without a '{'; add '{' or remove '}'")
        }
        for part in parts.dropFirst() {
            guard part.count(where: { $0 == "}" }) == 1 else {
                return .failure("the path must close each '{' with one '}'")
            }
            let name = part.prefix { $0 != "}" }.drop { $0 == "+" }
            guard known.contains(String(name)) else {
                let places = known.map { "'{\($0)}'" }.joined(separator: ", ")
                return .failure(
                    CatalogMessage(
                        known.isEmpty
                            ? "the path cannot have placeholders here; remove them"
                            : "the path has the unknown placeholder '{\(name)}'; use \(places)"
                    ))
            }
        }
        return .success(PathTemplate(text: text, template: TextTemplate(text, places: known)))
    }

    /// Creates a template from a valid path.
    private init(text: String, template: TextTemplate) {
        self.text = text
        self.template = template
    }

    /// The path `/`, which is used instead of an invalid path.
    static let root = PathTemplate(text: "/", template: TextTemplate("/"))

    /// Returns the path with its placeholders replaced. Each value is percent-encoded and stays within its segment.
    /// Only a value of `{+name}` can contain several segments.
    ///
    /// - Throws: `TemplateError` for an empty value, and for a value that adds a segment `.` or `..` (`DotSegments`).
    public func path(_ values: PlaceholderValues = PlaceholderValues()) throws(TemplateError) -> String {
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
        // A value and the surrounding text of the template can together form a segment `.` or `..`.
        guard leading.isEmpty, !DotSegments.areFound(in: path) else {
            let quoted = (leading.isEmpty ? places : leading).map { place in
                "'\(place)' is '\(values.texts(of: place).joined(separator: ",").prefix(200))'"
            }
            throw TemplateError(
                "\(quoted.joined(separator: " and ")): a segment '.' or '..' would change the path; use another value")
        }
        return path
    }
}

/// The second part of an error message: the reason. The caller adds the first part, which names the invalid value, such
/// as `'path'`.
package struct CatalogMessage: Error, Equatable, ExpressibleByStringLiteral, Sendable {
    package let message: String

    package init(stringLiteral message: String) { self.message = message }
    package init(_ message: String) { self.message = message }
}
