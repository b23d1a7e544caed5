import Catalog
import JSON
import Model
import System

/// A parsed OpenAPI document that resolves the references within itself.
///
/// The document points into the memory of the parsed text, and must not be used after that text is released.
final class OpenAPIDocument {
    private static let maxReferences = 16

    let root: JSONView
    private var resolved: [String: JSONView?] = [:]
    private let index = MemberIndex()

    /// The parameters that carry credentials. Drafted operations do not declare these parameters, because `auth` sends
    /// the credentials.
    var credentials: Set<OpenAPIParameter.Key> = []
    /// The API keys that all operations send in their query, in addition to the credentials of `auth`.
    var queryKeys: [DraftLine] = []
    /// Values for header fields, by name in lower case. An operation uses one of these values if it requires a header
    /// field but declares no value for the field.
    var headerValues: [String: JSONView] = [:]

    /// The URL of the document; nil if the document does not come from a URL.
    let url: String?

    package init(_ root: JSONView, url: String? = nil) { (self.root, self.url) = (root, url) }

    /// Returns the target of a value's `$ref`, or the value itself if it is not a reference. Nil if the target is in
    /// another document or missing, or if the references form a cycle.
    func resolve(_ view: JSONView) -> JSONView? {
        var current = view
        for _ in 0..<Self.maxReferences {
            guard let reference = current["$ref"]?.string else { return current }
            guard let target = target(of: reference) else { return nil }
            current = target
        }
        return nil
    }

    /// Returns the reason why a reference cannot be resolved.
    func reason(_ view: JSONView) -> String {
        var current = view
        for _ in 0..<Self.maxReferences {
            guard let reference = current["$ref"]?.string else { break }
            guard let target = target(of: reference) else { return Self.reason(reference) }
            current = target
        }
        return "the reference '\(view["$ref"]?.string ?? "")' leads back to itself, or through more than"
            + " \(Self.maxReferences) references; refer to the target directly"
    }

    private static func reason(_ reference: String) -> String {
        guard reference.hasPrefix("#") else { return "cannot follow the reference '\(reference)'" }
        let bundled = "#/\(DocumentBundle.member)/"
        guard reference.hasPrefix(bundled) else {
            return "the reference '\(reference)' has no target in this document; correct the reference"
        }
        let pointer = reference.dropFirst(bundled.count).drop { $0 != "/" }
        return "a reference has no target: the referenced document contains nothing at '#\(pointer)'; correct the"
            + " reference"
    }

    /// Returns a member of a value, or the target of the member's `$ref`.
    func member(_ key: String, of view: JSONView) -> JSONView? { index.member(key, of: view).flatMap { resolve($0) } }

    private func target(of reference: String) -> JSONView? {
        if let known = resolved[reference] { return known }
        let found = find(reference)
        resolved[reference] = .some(found)
        return found
    }

    /// Finds the value that a JSON pointer in a URL fragment refers to, such as `#/components/schemas/Pet` (RFC 6901,
    /// section 6).
    private func find(_ reference: String) -> JSONView? {
        guard reference.hasPrefix("#") else { return nil }
        var current = root
        for step in PercentEncoding.decode(String(reference.dropFirst())).split(separator: "/") {
            let name = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
            let next =
                current.kind == .array
                ? Int(name).flatMap { index.element($0, of: current) } : index.member(name, of: current)
            guard let next else { return nil }
            current = next
        }
        return current
    }
}

/// An operation of an OpenAPI document that reads data: the `get` of a path, or a `post` that lists items.
struct OpenAPIOperation {
    let path: OpenAPIPath
    let view: JSONView
    let isPost: Bool
    /// The declared parameters, and for a `post` also the members of its body.
    let parameters: [OpenAPIParameter]
    private let places: [OpenAPIParameter.Key: Int]
    /// The schema of the successful answer in JSON. The schema may be a `$ref`.
    let answer: JSONView?
    /// The document's description of the successful answer, with its header fields.
    let response: JSONView?
    /// Whether successful answers have no content (status 204). Such an operation cannot read data.
    let hasNoContent: Bool
    /// The reason why the reference to the answer cannot be resolved. Nil if the answer was found, or if the document
    /// describes no answer.
    let fault: String?
    /// The reasons why parameters of the operation are left out of the draft; empty if none is left out.
    let parameterFaults: [String]

    /// Reads an operation of the document.
    ///
    /// - Parameter body: the members of the body of a `post`; nil for a `get`.
    init(
        path: OpenAPIPath, item: JSONView, view: JSONView, document: OpenAPIDocument, body: [OpenAPIParameter]? = nil
    ) {
        self.path = path
        self.view = view
        isPost = body != nil
        // A parameter of the operation overrides the path's parameter with the same name.
        var parameters: [OpenAPIParameter] = []
        var places: [OpenAPIParameter.Key: Int] = [:]
        var parameterFaults: [String] = []
        for element in [view, item].compactMap({ $0["parameters"] }).flatMap({ Array($0.elements) }) {
            guard let resolved = document.resolve(element) else {
                parameterFaults.append("a parameter is left out: \(document.reason(element))")
                continue
            }
            guard let parameter = OpenAPIParameter(resolved, document), places[parameter.key] == nil,
                !document.credentials.contains(parameter.key)
            else { continue }
            if parameter.place == "header", let value = parameter.schema?["default"] {
                document.headerValues[parameter.name.lowercased()] = value
            }
            places[parameter.key] = parameters.count
            parameters.append(parameter)
        }
        (self.parameters, self.places) = (parameters + (body ?? []), places)
        self.parameterFaults = parameterFaults
        let responses = view["responses"]
        let declared = ["200", "2XX", "201", "203", "206", "default"].lazy.compactMap { responses?[$0] }.first { _ in
            true
        }
        response = declared.flatMap { document.resolve($0) }
        answer = response.flatMap { Self.schema(of: $0, document) }
        hasNoContent =
            responses?["204"] != nil && ["200", "2XX", "201", "203", "206"].allSatisfy { responses?[$0] == nil }
        fault = declared.flatMap { document.resolve($0) == nil ? document.reason($0) : nil }
    }

    var method: String { isPost ? "POST" : "GET" }

    /// The words in the path that name the items, the last word first. For a `post`, the last word of the path (such as
    /// `search`) is left out.
    var words: [String] {
        let words = path.words
        return isPost && words.dropFirst().contains { !ResourceNames.isVersion($0) } ? Array(words.dropFirst()) : words
    }

    /// Returns the parameter with the given name. `place` is the location of the parameter: `path`, `query`, `header`
    /// or `cookie`.
    func parameter(_ name: String, in place: String) -> OpenAPIParameter? {
        places[OpenAPIParameter.Key(name: name, place: place)].map { parameters[$0] }
    }

    private static func schema(of response: JSONView, _ document: OpenAPIDocument) -> JSONView? {
        guard let content = response["content"] else { return nil }
        for member in content.members {
            let type = (member.key.string ?? "").prefix { $0 != ";" }.lowercased()
            if type == "application/json" || type.hasSuffix("+json") || type == "*/*" || type == "application/*" {
                if let schema = document.resolve(member.value)?["schema"] { return schema }
            }
        }
        return nil
    }
}

/// A parameter of an operation.
struct OpenAPIParameter {
    /// The name and location of a parameter. An operation has at most one parameter with the same name and location.
    struct Key: Hashable {
        let name: String
        let place: String
    }

    let name: String
    /// The part of the request that carries the parameter: `path`, `query`, `header`, `cookie` or `body`.
    let place: String
    let isRequired: Bool
    let view: JSONView
    /// The schema of the parameter. Nil if the document describes the parameter with a media type instead of a schema.
    let schema: JSONView?

    init?(_ view: JSONView, _ document: OpenAPIDocument) {
        guard let name = view["name"]?.string, !name.isEmpty,
            let place = view["in"]?.string
        else { return nil }
        (self.name, self.place, self.view) = (name, place, view)
        isRequired = view["required"]?.bool ?? false
        schema = view["schema"].flatMap { document.resolve($0) }
    }

    /// Creates a query parameter for one member of an object. The document declares the object as a single query
    /// parameter.
    init(name: String, memberOfQuery view: JSONView) {
        (self.name, place, isRequired, self.view, schema) = (name, "query", false, view, view)
    }

    /// Creates a parameter from a member of a request body. The name of a nested member is dotted, as in `page.size`.
    init(name: String, memberOfBody view: JSONView, isRequired: Bool, _ document: OpenAPIDocument) {
        (self.name, place, self.isRequired, self.view, schema) = (
            name, "body", isRequired, view, document.resolve(view)
        )
    }

    var key: Key { Key(name: name, place: place) }
    /// The name in lower case, without punctuation: `currentpage` for `searchCriteria[currentPage]`.
    var plain: String {
        if place == "body", let last = name.split(separator: ".").last {
            let whole = DraftNames.normalized(name)
            let isKnown = PaginationVocabulary.isPosition(whole) || PaginationVocabulary.sizes.contains(whole)
            return isKnown ? whole : DraftNames.normalized(String(last))
        }
        let inner =
            name.hasSuffix("]") ? name.split(separator: "[").last.map { DraftNames.normalized(String($0)) } : nil
        return inner.flatMap { PaginationVocabulary.bracketed.contains($0) ? $0 : nil } ?? DraftNames.normalized(name)
    }
    var description: String {
        view["description"]?.string(atMost: 2_000) ?? schema?["description"]?.string(atMost: 2_000) ?? ""
    }
}
