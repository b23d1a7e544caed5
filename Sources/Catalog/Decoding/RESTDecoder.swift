import JSON
import Model
import System

/// Decodes the request of a REST operation.
struct RESTDecoder {
    let reader: CatalogReader
    /// The names of the resource's scope parameters, which requests can use as placeholders.
    let scope: [String]

    /// Decodes the request of an operation. Returns nil if the path is invalid.
    ///
    /// - Parameter ids: the placeholder for ids, `id` or `ids`, that the path may contain; nil for a list.
    func decode(_ object: CatalogObject, ids: String?) -> RESTTemplate? {
        let places = (ids.map { [$0] } ?? []) + scope
        let faults = reader.faults.count
        object.required("path")
        let path = self.path(in: object, places: places)
        var template = RESTTemplate(path: path ?? .root, query: query(in: object, places), headers: [])
        template.headers = object.headers("headers").map { header in
            RESTTemplate.HeaderTemplate(name: header.name, value: TextTemplate(header.value, places: places))
        }
        let index = MemberIndex()
        let headers = object["headers"]
        for header in template.headers {
            check(header.value, places, at: headers.flatMap { index.member(header.name, of: $0) })
        }
        let method = object.value("method", "\"GET\", or \"POST\" for a read with a body") {
            $0.string.flatMap { HTTPMethod(rawValue: $0) }
        }
        template.method = method ?? .get
        if let view = object["body"] {
            if template.method == .get { reader.fault("'body' needs \"method\": \"POST\"", at: view) }
            let (body, isExpanded) = self.body(view, places)
            template.body = body
            template.isBodyExpanded = isExpanded
        }
        if let join = object.text("join") { template.join = join }
        if template.repeatsIDs, template.joinsIDs, let view = object["join"] {
            reader.fault(
                "'join' can be \"repeat\" only if '{ids}' is the whole value of a parameter of 'query'; use a"
                    + " separator such as \",\"",
                at: view)
        }
        template.errors = ErrorRulesDecoder(reader: reader).decode(in: object)
        template.isLines =
            object.value("as", "\"json\" or \"ndjson\"") {
                $0.isString("ndjson") ? true : $0.isString("json") ? false : nil
            } ?? false
        // Reported only if this operation has no other error, because the error may be a misspelled `{ids}`.
        if ids == "ids", reader.faults.count == faults, !template.places.contains("ids") {
            reader.fault("\(object.what) needs the placeholder '{ids}', in 'path', 'query' or 'body'", at: object.view)
        }
        return path == nil ? nil : template
    }

    /// Replaces the `${...}` references in `path`, and returns the parsed path. Returns nil if the key is missing or an
    /// error is reported.
    ///
    /// - Parameter places: the names of the placeholders that the path may contain.
    func path(in object: CatalogObject, places: [String]) -> PathTemplate? {
        guard let view = object["path"], let text = reader.expanded(view, "path") else { return nil }
        switch PathTemplate.parse(text, places: places) {
        case .failure(let reason):
            return reader.malformed("'path': \(reason.message)", at: view).map { _ in PathTemplate.root }
        case .success(var path):
            path.isExpanded = !view.isString(text)
            return path
        }
    }

    /// Returns the constant query parameters. Each value is a string, a number, a boolean or an array. An object with
    /// `value` and `beside` declares a value that is sent only together with the filter that `beside` names.
    private func query(in object: CatalogObject, _ places: [String]) -> [QueryConstant] {
        guard let view = object["query"] else { return [] }
        guard view.kind == .object else {
            reader.fault("'query' must be an object", at: view)
            return []
        }
        let index = MemberIndex()
        let filters = object["filters"]
        return reader.members(of: view, in: "'query'").compactMap { member in
            guard member.value.kind == .object else {
                return values(member.value, member.name, places).map { QueryConstant(member.name, $0) }
            }
            let what = "'\(member.name)' in 'query' of \(object.what)"
            guard let long = reader.object(member.value, what, .constant) else { return nil }
            let beside = long.requiredText("beside")
            if let beside, filters.flatMap({ index.member(beside, of: $0) }) == nil, let view = long["beside"] {
                reader.fault(
                    "'beside' must be the name of a filter of this list; correct the name or add the filter", at: view)
            }
            let values = long.required("value").flatMap { self.values($0, "value", places) }
            return values.map { QueryConstant(member.name, $0, beside: beside) }
        }
    }

    private func values(_ view: JSONView, _ name: String, _ places: [String]) -> [TextTemplate]? {
        switch view.kind {
        case .string: return text(view, name, places).map { [$0] }
        case .number, .true, .false: return [TextTemplate(JSONValue(view).text)]
        case .array:
            let elements = view.elements.map { element in
                element.kind == .array ? nil : values(element, name, places)?.first
            }
            if elements.allSatisfy({ $0 != nil }) { return elements.compactMap { $0 } }
        case .null, .object: break
        }
        reader.fault("'\(name)' must be a string, a number, a boolean, or an array of such values", at: view)
        return nil
    }

    private func text(_ view: JSONView, _ name: String, _ places: [String]) -> TextTemplate? {
        guard let text = reader.expanded(view, name) else { return nil }
        let template = TextTemplate(text, places: places)
        check(template, places, at: view)
        return template
    }

    /// Reports an error for each name in braces that looks like a misspelled or misplaced placeholder.
    private func check(_ template: TextTemplate, _ places: [String], at view: JSONView?) {
        guard let view else { return }
        for word in TextTemplate.words(in: template.text, notAmong: places) {
            if let near = Spelling.nearest(to: word, in: places) {
                reader.fault("unknown placeholder '{\(word)}'; did you mean '{\(near)}'?", at: view)
            } else if word == "id" || word == "ids" {
                let known = places.map { "'{\($0)}'" }.joined(separator: ", ")
                let allowed = places.isEmpty ? "; remove the placeholder" : "; use \(known)"
                reader.fault("the placeholder '{\(word)}' is not allowed here\(allowed)", at: view)
            }
        }
    }

    /// Returns the template of a request body, and whether the body contains `${...}` references.
    private func body(_ view: JSONView, _ places: [String]) -> (BodyTemplate, isExpanded: Bool) {
        switch view.kind {
        case .string:
            guard let template = text(view, "body", places) else { return (.constant(.null), false) }
            return (.text(template), !view.isString(template.text))
        case .array:
            let elements = view.elements.map { body($0, places) }
            return (.array(elements.map { $0.0 }), elements.contains { $0.isExpanded })
        case .object:
            var isExpanded = false
            let members = reader.members(of: view, in: "'body'").map { member in
                let (value, expands) = body(member.value, places)
                if expands { isExpanded = true }
                return BodyTemplate.Member(name: member.name, value: value)
            }
            return (.object(members), isExpanded)
        case .null, .true, .false, .number: return (.constant(JSONValue(view)), false)
        }
    }
}
