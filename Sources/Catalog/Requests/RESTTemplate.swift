import JSON
import Model

/// What an operation over REST sends, apart from filters and pages.
public struct RESTTemplate: Equatable, Sendable {
    /// `GET`, or `POST` for a read with a body.
    public var method = HTTPMethod.get
    /// The path below the base URL.
    public var path: PathTemplate
    /// Constant query parameters.
    public var query: [QueryConstant]
    /// Header fields besides the API's; their values may have places.
    public var headers: [HeaderTemplate]
    /// The body of a `POST`.
    public var body: BodyTemplate?
    /// Whether something stood for `${...}` in the body.
    var isBodyExpanded = false
    /// What tells an answer that is an error, before the rules of the API.
    public var errors: [ErrorRule] = []
    /// Whether each line of the answer is a JSON text; the lines are read as an array.
    public var isLines = false
    /// What stands between the ids of `{ids}`.
    public var join = ","

    /// A header field with places in its value.
    public struct HeaderTemplate: Equatable, Sendable {
        let name: String
        let value: TextTemplate
    }

    /// Another page's URL, which has all that its list asks for but these constants.
    package struct Place {
        let url: String
        let constants: Set<String>

        package init(url: String, constants: Set<String>) {
            self.url = url
            self.constants = constants
        }
    }

    /// The names of all places.
    var places: [String] {
        path.places + query.flatMap { $0.values.flatMap(\.places) } + headers.flatMap(\.value.places)
            + (body?.places ?? [])
    }

    /// All texts in which a secret may stand for `${...}`, for the fingerprint: those of the declaration name it only.
    package var texts: [String] {
        // One expression without these types takes the compiler seconds.
        let parameters: [String] = query.flatMap { $0.values.map(\.text) }
        let paths: [String] = path.isExpanded ? [path.text] : []
        let bodies: [String] = isBodyExpanded ? body.map { [$0.filled(PlaceValues()).text] } ?? [] : []
        return headers.map(\.value.text) + parameters + paths + bodies
    }

    /// Whether a parameter that is `{ids}` is sent once for each id.
    var repeatsIDs: Bool { join == PlaceValues.repeated }

    /// Whether `{ids}` stands where several ids make up one text.
    var joinsIDs: Bool {
        let texts = query.flatMap { $0.values.filter { $0.pieces.count > 1 } } + headers.map(\.value)
        return path.places.contains("ids") || texts.contains { $0.places.contains("ids") } || body?.joinsIDs == true
    }

    /// What is asked.
    ///
    /// - Parameters:
    ///   - values: what fills the places.
    ///   - parameters: those of filters and pages; they take the place of constants of their names.
    ///   - filters: the names of the filters that are given, for constants that go with one.
    ///   - place: where it is asked; nil is the template's own place.
    /// - Throws: `TemplateError` for a value that would leave its place.
    package func endpoint(
        _ values: PlaceValues, _ parameters: [ListParameter] = [], filters: [String] = [], at place: Place? = nil,
        since validators: Validators? = nil
    ) throws(TemplateError) -> Endpoint {
        let inQuery = parameters.filter { method == .get || $0.place == .query }
        let constants = query.filter { constant in
            if let place { return place.constants.contains(constant.name) }
            return !inQuery.contains { $0.name == constant.name }
                && constant.beside.map { filters.contains($0) } ?? true
        }
        var endpoint = Endpoint(
            method: method, url: place?.url, path: try path.path(values),
            query: constants.flatMap { $0.items(values) } + inQuery.flatMap(\.queryItems),
            headers: try headers(values), body: method == .post ? body(values, parameters) : nil, isRepeatable: true,
            validators: method == .get ? validators : nil, errors: errors)
        if isLines { endpoint.accept = "application/x-ndjson" }
        endpoint.hasSecretBody = isBodyExpanded
        return endpoint
    }

    private func headers(_ values: PlaceValues) throws(TemplateError) -> [HTTPHeader] {
        var fields: [HTTPHeader] = []
        for header in headers {
            let value = header.value.filled(values)
            guard HTTPHeader.isSafe(name: header.name, value: value) else {
                throw TemplateError("the header '\(header.name)' must not contain control characters")
            }
            fields.append(HTTPHeader(header.name, value))
        }
        return fields
    }

    private func body(_ values: PlaceValues, _ parameters: [ListParameter]) -> [UInt8] {
        let filled = body?.filled(values) ?? .object(JSONObject())
        // What is no object has no members to set.
        guard case .object(var object) = filled else { return Array(filled.text.utf8) }
        for parameter in parameters where parameter.place != .query { object.set(parameter.name, to: parameter.value) }
        return Array(JSONValue.object(object).text.utf8)
    }
}

/// A query parameter that a catalog fixes.
public struct QueryConstant: Equatable, Sendable {
    /// The parameter's name.
    public let name: String
    /// Its values; the parameter is repeated for each.
    public let values: [TextTemplate]
    /// The filter together with which alone it is sent; nil for always.
    public var beside: String?

    public init(_ name: String, _ values: [TextTemplate], beside: String? = nil) {
        self.name = name
        self.values = values
        self.beside = beside
    }

    fileprivate func items(_ values: PlaceValues) -> [QueryItem] {
        self.values.flatMap { template -> [QueryItem] in
            guard !template.places.isEmpty else { return [QueryItem(name, template.text)] }
            guard values.join == PlaceValues.repeated, template.places == ["ids"] else {
                return [item(template, values)]
            }
            return values.ids.map { id in
                var one = values
                one.ids = [id]
                return item(template, one)
            }
        }
    }

    private func item(_ template: TextTemplate, _ values: PlaceValues) -> QueryItem {
        QueryItem(name, template.filled(values), encoded: TextTemplate.encoded(template, values))
    }
}

extension TextTemplate {
    /// The template as a query's value, percent-encoded.
    fileprivate static func encoded(_ template: TextTemplate, _ values: PlaceValues) -> String {
        template.pieces.map { piece in
            switch piece {
            case .text(let text): return PercentEncoding.encode(text)
            case .place(let name, let keepsReserved):
                let kept = PercentEncoding.queryReserved
                let texts = values.texts(of: name).map {
                    keepsReserved ? PercentEncoding.encode($0, keeping: kept) : PercentEncoding.encode($0)
                }
                return texts.joined(separator: PercentEncoding.encode(values.join, keeping: kept))
            }
        }.joined()
    }
}
