import JSON

/// Drafts the filters of a list from its parameters. A required parameter with only one possible value becomes a
/// constant.
struct OpenAPIParameters {
    let document: OpenAPIDocument
    let schemas: OpenAPISchemas

    /// The drafted filters, constants and headers of a list.
    struct Draft {
        var filters: [DraftLine] = []
        var query: [DraftLine] = []
        var headers: [DraftLine] = []
        /// The constants in the request body of a `post` operation.
        var body: [DraftLine] = []
        var remarks: [String] = []

        fileprivate var constantNames: Set<String> {
            Set((query + body).compactMap { if case .member(let name, _, _) = $0 { name } else { nil } })
        }
    }

    /// Returns the filters and constants of a list.
    ///
    /// - Parameter taken: the names of parameters that are not filters, such as the parameters of the pagination.
    func draft(_ operation: OpenAPIOperation, besides taken: Set<String>) -> Draft {
        var draft = constants(operation, besides: taken)
        let constant = draft.constantNames
        var names: Set<String> = []
        for parameter in operation.parameters
        where ["query", "body"].contains(parameter.place) && !taken.contains(parameter.name)
            && !constant.contains(parameter.name)
        {
            guard let schema = parameter.schema else {
                draft.remarks.append(
                    "the parameter '\(parameter.name)' is left out: the parameter has no 'schema' in the document")
                continue
            }
            let remarkCount = draft.remarks.count
            let found = filters(parameter, schema, besides: taken, &draft.remarks)
            let isTaken = parameter.members(schemas).contains { taken.contains($0.name) }
            if found.isEmpty, draft.remarks.count == remarkCount, !isTaken {
                draft.remarks.append(
                    "the parameter '\(parameter.name)' is left out: the document does not describe how to send the value"
                )
            }
            for filter in found {
                guard names.insert(filter.name).inserted else { continue }
                let isMoved = operation.isPost && parameter.place == "query"
                draft.filters.append(isMoved ? filter.line.sentInQuery : filter.line)
            }
        }
        return draft
    }

    /// Returns the required parameters with a known value as constants. Adds a comment for a required header field with
    /// an unknown value.
    func constants(_ operation: OpenAPIOperation, besides taken: Set<String> = []) -> Draft {
        var draft = Draft()
        draft.query = document.queryKeys
        for parameter in operation.parameters where parameter.isRequired && !taken.contains(parameter.name) {
            guard ["query", "header", "body"].contains(parameter.place) else { continue }
            let ignored = ["accept", "contenttype", "authorization"]
            if parameter.place == "header", ignored.contains(parameter.plain) { continue }
            let flat = parameter.schema.map { schemas.flat($0) }
            let only = flat.flatMap { $0.values.count == 1 ? $0.values.first : nil }
            // In the query, only a version with a default value is a constant; all remaining parameters are filters.
            let isVersion = parameter.plain.hasSuffix("version") || parameter.plain == "revision"
            let standard = parameter.schema?["default"]
            let elsewhere = parameter.place == "header" ? document.headerValues[parameter.name.lowercased()] : nil
            let sample = isVersion ? parameter.schema?["example"] ?? parameter.view["example"] : nil
            let value = only ?? (isVersion || parameter.place == "header" ? standard : nil) ?? elsewhere ?? sample
            if let value, let text = Self.scalar(value) {
                let line = DraftLine.member(parameter.name, .json(text), note: "required, with this value")
                switch parameter.place {
                case "query": draft.query.append(line)
                case "body": draft.body.append(line)
                default: draft.headers.append(header(line))
                }
            } else if parameter.place == "header" {
                draft.remarks.append("the header '\(parameter.name)' is required; add its value to 'headers'")
            }
        }
        return draft
    }

    /// Returns the required query parameters that have no constant value. These parameters become part of the
    /// resource's scope.
    func missing(in operation: OpenAPIOperation) -> [OpenAPIParameter] {
        let known = constants(operation).constantNames
        return operation.parameters.filter { parameter in
            parameter.place == "query" && parameter.isRequired && !known.contains(parameter.name)
        }
    }

    private func header(_ line: DraftLine) -> DraftLine {
        guard case .member(let name, .json(let value), let note) = line else { return line }
        if case .string(let text) = value { return .text(name, text, note: note) }
        return .text(name, value.text, note: note)
    }

    private static func scalar(_ view: JSONView) -> JSONValue? {
        switch view.kind {
        case .string, .number, .true, .false: JSONValue(view)
        case .null, .array, .object: nil
        }
    }

    /// Returns the filters for a parameter. Adds a comment to `remarks` for each part of the parameter that cannot be a
    /// filter.
    private func filters(
        _ parameter: OpenAPIParameter, _ schema: JSONView, besides taken: Set<String>, _ remarks: inout [String]
    ) -> [(name: String, line: DraftLine)] {
        var flat = schemas.flat(schema)
        if parameter.place == "body" { return [bodyFilter(parameter, flat)] }
        var parts: [OpenAPISchema] = []
        for alternative in flat.alternatives.joined() { parts.append(schemas.flat(alternative)) }
        let objects = ([flat] + parts).filter { !$0.properties.isEmpty }
        let isDeep = parameter.view["style"]?.isString("deepObject") == true
        var found: [(name: String, line: DraftLine)] = []
        if flat.kind == nil,
            let part = parts.first(where: { $0.kind == "array" }) ?? parts.first(where: { !$0.isObject })
        {
            flat = part
        }
        if !flat.isObject, let filter = filter(parameter.name, flat, parameter) { found.append(filter) }
        guard isDeep || parameter.view["explode"]?.bool != false else { return found }
        for object in objects {
            for (name, view) in object.properties {
                let inner = schemas.flat(view)
                let sent = isDeep ? "\(parameter.name)[\(name)]" : name
                if taken.contains(sent) { continue }
                guard !inner.isObject, let filter = filter(sent, inner, nil) else {
                    remarks.append("the parameter '\(sent)' is left out: the value is an object")
                    continue
                }
                found.append(filter)
            }
        }
        return found
    }

    /// Returns a filter for a member of a request body. Unlike a query parameter, a member of a body can be an object.
    private func bodyFilter(
        _ parameter: OpenAPIParameter, _ flat: OpenAPISchema
    ) -> (name: String, line: DraftLine) {
        let parts = flat.kind == nil ? flat.alternatives.joined().map { schemas.flat($0) } : []
        let kinds = Set(parts.compactMap(\.kind))
        let own = kinds.count == 1 ? parts.first { $0.kind != nil } ?? flat : flat
        if own.kind != nil, !own.isObject, let filter = filter(parameter.name, own, parameter) { return filter }
        let name = parameter.name.replacing(".", with: "_")
        var lines: [DraftLine] = name == parameter.name ? [] : [.text("param", parameter.name)]
        lines.append(.text("type", "any"))
        if parameter.isRequired { lines.append(.flag("required", true)) }
        return (name, .member(name, .object(lines)))
    }

    /// Returns the name of a filter, and its declaration in the draft catalog. Nil for an array whose elements are
    /// objects or arrays.
    ///
    /// - Parameter parameter: the OpenAPI parameter that becomes the filter; nil if the filter is a property of an
    ///   object parameter.
    private func filter(
        _ sent: String, _ flat: OpenAPISchema, _ parameter: OpenAPIParameter?
    ) -> (name: String, line: DraftLine)? {
        var name = sent.hasSuffix("[]") ? String(sent.dropLast(2)) : sent
        name = String(name.drop { $0 == "$" }.map { "[.".contains($0) ? "_" : $0 }).filter { $0 != "]" }
        if name.isEmpty { name = sent }
        var (sent, note) = (sent, String?.none)
        let type: DraftValue
        var join: String?
        var isList = false
        if flat.kind == "array" {
            let element = flat.items.map { schemas.flat($0) }
            guard element.map({ !$0.isObject && $0.kind != "array" }) ?? true else { return nil }
            type = .array([element.map { Self.scalarType($0) } ?? .text("string")])
            join = Self.join(parameter, sent)
            // The documentation of an API with such a parameter shows its value as a text such as "1,2".
            isList = join == "," && ["integer", "number"].contains(element?.kind)
            if parameter?.view["style"]?.isString("deepObject") == true, !sent.hasSuffix("[]") {
                sent += "[]"
                note = "arrays in the style deepObject are usually sent with '[]'"
            }
        } else {
            type = Self.scalarType(flat)
        }
        let isSize = PaginationVocabulary.sizes.contains(DraftNames.normalized(sent))
        let standard = isSize ? nil : parameter?.schema.flatMap { $0["default"] }.flatMap { Self.standard($0, flat) }
        let isRequired = parameter?.isRequired == true && standard == nil
        if type == .text("string"), standard == nil, !isRequired { return (name, .text(name, sent, note: note)) }
        var lines: [DraftLine] = name == sent ? [] : [.text("param", sent)]
        lines.append(.member("type", type))
        if parameter?.place != "body" {
            if let join, join != "," { lines.append(.text("join", join)) }
            if isList { lines.append(.text("split", ",")) }
        }
        if let standard { lines.append(.member("default", .json(standard))) }
        if isRequired { lines.append(.flag("required", true)) }
        return (name, .member(name, .object(lines), note: note))
    }

    private static func scalarType(_ flat: OpenAPISchema) -> DraftValue {
        switch flat.kind {
        case "integer", "number", "boolean": return .text(flat.kind ?? "")
        case "string":
            if flat.format == "date-time" { return .text("date") }
            let values = OpenAPISchemas.unique(flat.values.compactMap { $0.string })
            return (2...60).contains(values.count) ? .array(values.map { .text($0) }) : .text("string")
        default: return .text("string")
        }
    }

    /// Returns the separator of an array parameter in the query, or `repeat` if each value is a separate parameter. The
    /// default is `repeat`, as in HTML forms.
    private static func join(_ parameter: OpenAPIParameter?, _ sent: String) -> String {
        guard let view = parameter?.view else { return "repeat" }
        if sent.hasSuffix("[]") { return "repeat" }
        switch view["style"]?.string {
        case "spaceDelimited": return " "
        case "pipeDelimited": return "|"
        // Only a converted Swagger 2.0 document has this style.
        case "tabDelimited": return "\t"
        case "deepObject": return "repeat"
        default: return view["explode"]?.bool == false ? "," : "repeat"
        }
    }

    /// Returns the default value from a parameter's schema. Returns nil if it cannot be the default of a filter, for
    /// example because it has another type or is an array.
    private static func standard(_ view: JSONView, _ flat: OpenAPISchema) -> JSONValue? {
        func scalar(_ view: JSONView, _ flat: OpenAPISchema) -> JSONValue? {
            switch (flat.kind, view.kind) {
            case ("integer", .number): view.integer.map { .integer($0) }
            case ("number", .number), ("boolean", .true), ("boolean", .false): JSONValue(view)
            case ("string", .string):
                isText(view, of: flat) ? JSONValue(view) : JSONValue?.none
            default: JSONValue?.none
            }
        }
        func isText(_ view: JSONView, of flat: OpenAPISchema) -> Bool {
            if view.isString("") || flat.format == "date-time" { return false }
            return flat.values.count < 2 || flat.values.contains { $0.string == view.string }
        }
        // For an array, every request would send several values; that is rarely intended.
        return flat.kind == "array" ? nil : scalar(view, flat)
    }
}

extension DraftLine {
    /// A copy of the filter with the member `"in": "query"`. A `POST` request then sends the filter in the query
    /// instead of the body.
    fileprivate var sentInQuery: DraftLine {
        guard case .member(let name, let value, let note) = self else { return self }
        let place = DraftLine.text("in", "query")
        if case .object(let lines) = value { return .member(name, .object(lines + [place]), note: note) }
        return .member(name, .object([.member("param", value), place]), note: note)
    }
}
