import JSON
import Model

/// The part of a REST operation's request that is the same for every call. Ids, filters and the page are added later.
public struct RESTTemplate: Equatable, Sendable {
    /// The HTTP method: `GET`, or `POST` for a request that reads data but needs a body.
    public var method = HTTPMethod.get
    /// The path of the request below the base URL.
    public var path: PathTemplate
    /// Constant query parameters.
    public var query: [QueryConstant]
    /// Additional header fields of this operation's requests. Their values can contain placeholders.
    public var headers: [HeaderTemplate]
    /// The body of a `POST`.
    public var body: BodyTemplate?
    /// Whether `${...}` references in the body were replaced. The body may then contain secrets.
    var isBodyExpanded = false
    /// The operation's own rules that recognize error responses. They take precedence over the rules of the API.
    public var errors: [ErrorRule] = []
    /// Whether the response is NDJSON: each line is a JSON text. The lines are read as the elements of an array.
    public var isLines = false
    /// The separator between the ids that replace `{ids}`.
    public var join = ","

    /// A header field with placeholders in its value.
    public struct HeaderTemplate: Equatable, Sendable {
        let name: String
        let value: TextTemplate
    }

    /// A page URL from an API response, and the names of the constant parameters that are added to this URL.
    package struct Place {
        let url: String
        let constants: Set<String>

        package init(url: String, constants: Set<String>) {
            self.url = url
            self.constants = constants
        }
    }

    /// The names of the placeholders in the path, the query, the header fields and the body.
    var places: [String] {
        path.places + query.flatMap { $0.values.flatMap(\.places) } + headers.flatMap(\.value.places)
            + (body?.places ?? [])
    }

    /// The strings of the request that can contain secrets. The fingerprint in cache keys covers these strings.
    package var texts: [String] {
        // Without the declared types, the compiler needs seconds for this expression.
        let parameters: [String] = query.flatMap { $0.values.map(\.text) }
        let paths: [String] = path.isExpanded ? [path.text] : []
        let bodies: [String] = isBodyExpanded ? body.map { [$0.filled(PlaceholderValues()).text] } ?? [] : []
        return headers.map(\.value.text) + parameters + paths + bodies
    }

    /// Whether the query sends each id in its own parameter instead of all ids in one parameter.
    var repeatsIDs: Bool { join == PlaceholderValues.repeated }

    /// Whether `{ids}` is used in the path, in a header field or inside a longer string. The ids are then joined into
    /// one string with the separator.
    var joinsIDs: Bool {
        let texts = query.flatMap { $0.values.filter { $0.pieces.count > 1 } } + headers.map(\.value)
        return path.places.contains("ids") || texts.contains { $0.places.contains("ids") } || body?.joinsIDs == true
    }

    /// Returns the request for a particular call.
    ///
    /// - Parameters:
    ///   - values: the values of the placeholders.
    ///   - parameters: the parameters of filters and pages. These parameters replace constants with the same names.
    ///   - filters: the names of the filters in the call. Some constants are sent only in calls with a particular
    ///     filter.
    ///   - place: the URL of another page; nil for the template's own path.
    ///   - validators: the validators of a stored response, for a conditional `GET`.
    /// - Throws: `TemplateError` for a value that is not valid in its placeholder.
    package func endpoint(
        _ values: PlaceholderValues, _ parameters: [ListParameter] = [], filters: [String] = [], at place: Place? = nil,
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

    private func headers(_ values: PlaceholderValues) throws(TemplateError) -> [HTTPHeader] {
        var fields: [HTTPHeader] = []
        for header in headers {
            let value = header.value.filled(values)
            guard HTTPHeader.isSafe(name: header.name, value: value) else {
                throw TemplateError(
                    "the value of the header '\(header.name)' must not contain control characters; use another value")
            }
            fields.append(HTTPHeader(header.name, value))
        }
        return fields
    }

    private func body(_ values: PlaceholderValues, _ parameters: [ListParameter]) -> [UInt8] {
        let filled = body?.filled(values) ?? .object(JSONObject())
        // Only an object can take parameters as its members. Any other body is sent unchanged.
        guard case .object(var object) = filled else { return Array(filled.text.utf8) }
        for parameter in parameters where parameter.place != .query { object.set(parameter.name, to: parameter.value) }
        return Array(JSONValue.object(object).text.utf8)
    }
}

/// A query parameter with a constant value.
public struct QueryConstant: Equatable, Sendable {
    public let name: String
    /// The values of the parameter. The parameter is sent once for each value.
    public let values: [TextTemplate]
    /// The name of a filter. The parameter is sent only in calls with this filter. If nil, the parameter is always
    /// sent.
    public var beside: String?

    public init(_ name: String, _ values: [TextTemplate], beside: String? = nil) {
        self.name = name
        self.values = values
        self.beside = beside
    }

    fileprivate func items(_ values: PlaceholderValues) -> [QueryItem] {
        self.values.flatMap { template -> [QueryItem] in
            guard !template.places.isEmpty else { return [QueryItem(name, template.text)] }
            guard values.join == PlaceholderValues.repeated, template.places == ["ids"] else {
                return [item(template, values)]
            }
            return values.ids.map { id in
                var one = values
                one.ids = [id]
                return item(template, one)
            }
        }
    }

    private func item(_ template: TextTemplate, _ values: PlaceholderValues) -> QueryItem {
        QueryItem(name, template.filled(values), encoded: TextTemplate.encoded(template, values))
    }
}

extension TextTemplate {
    /// Fills the placeholders of a template and percent-encodes the result for a query.
    fileprivate static func encoded(_ template: TextTemplate, _ values: PlaceholderValues) -> String {
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
