import JSON
import System

/// Decodes the parameters of a resource: the filters of a list, and the scope.
package struct ParametersDecoder {
    /// The names of the parameters that every method accepts. A scope parameter must not have any of these names.
    package static let taken = [
        "id", "ids", "page", "pages", "filter", "fields", "cachePolicy", "maxAge", "maxPages", "workDoneToken", "text",
        "limit", "offset", "observer", "scope", "resource", "olderThan",
    ]
    /// The maximum number of scope parameters. Larder searches every string of the resource for the name of each
    /// parameter, so a large number would be slow.
    static let maxScopeNames = 100
    static let types = ["string", "integer", "number", "boolean", "date", "any"]

    let reader: CatalogReader

    /// Decodes `scope` of a resource: the parameters that identify the parents of its items, such as the repository of
    /// an issue.
    func scope(_ view: JSONView, of resource: CatalogObject) -> [ScopeDefinition] {
        guard view.kind == .object else {
            reader.fault("'scope' of \(resource.what) must be an object, such as {\"owner\": \"string\"}", at: view)
            return []
        }
        let members = reader.members(of: view, in: "'scope' of \(resource.what)")
        if members.count > Self.maxScopeNames {
            reader.fault(
                "'scope' of \(resource.what) can have at most \(Self.maxScopeNames) names; remove some", at: view)
        }
        return members.prefix(Self.maxScopeNames).compactMap { member in
            checkScopeName(member.name, at: member.key)
            guard member.value.kind == .object else {
                return type(member.value, unit: nil).map {
                    ScopeDefinition(name: member.name, type: scalar($0, at: member.value), standard: nil)
                }
            }
            let what = "'\(member.name)' in 'scope' of \(resource.what)"
            guard let object = reader.object(member.value, what, .scope) else { return nil }
            let type =
                object["type"].flatMap { view in self.type(view, unit: nil).map { scalar($0, at: view) } } ?? .string
            let standard = defaultValue(in: object, expected: type.expected, type.canonical)
            if standard == "", let view = object["default"] {
                reader.fault("'default' of a scope must not be empty; leave it out to require a value", at: view)
            }
            return ScopeDefinition(name: member.name, type: type, standard: standard)
        }
    }

    private func checkScopeName(_ name: String, at view: JSONView) {
        let isName =
            name.first?.isLetter == true && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        if !isName {
            reader.fault(
                "a name in 'scope' must start with a letter and contain only letters, digits and '_'", at: view)
        } else if Self.taken.contains(name) {
            reader.fault("'\(name)' is already a parameter of the resource's methods; choose another name", at: view)
        }
    }

    /// Returns the type of a scope parameter. Reports an error for an array, a date and the type `any`.
    private func scalar(_ type: ParameterType, at view: JSONView) -> ParameterType {
        switch type {
        case .string, .integer, .number, .boolean, .enumeration: return type
        case .array, .any, .date:
            reader.fault(
                "the type of a scope must be a string, an integer, a number, a boolean or an enumeration", at: view)
            return .string
        }
    }

    /// Decodes the filters of a list.
    func filters(_ view: JSONView, of list: CatalogObject) -> [FilterDefinition] {
        guard view.kind == .object else {
            reader.fault(
                "'filters' must be an object such as {\"author\": \"author_id\"}; each value is a parameter name or an"
                    + " object",
                at: view)
            return []
        }
        let members = reader.members(of: view, in: "'filters'")
        let filters = members.compactMap { member -> (definition: FilterDefinition, view: JSONView)? in
            switch member.value.kind {
            case .object: break
            case .array:
                var filter = FilterDefinition(name: member.name, parameter: member.name)
                filter.type = type(member.value, unit: nil) ?? .any
                return (filter, member.value)
            default:
                return reader.expanded(member.value, member.name).map {
                    (FilterDefinition(name: member.name, parameter: $0), member.value)
                }
            }
            let what = "the filter '\(member.name)'"
            return reader.object(member.value, what, .filter).flatMap { filter(member.name, $0) }
                .map { ($0, member.value) }
        }
        let pagination = list["pagination"]
        let isPost = list["method"]?.isString("POST") == true
        let pagesAreInQuery = pagination?["in"]?.isString("query") == true
        var parts = ComposedParts()
        for (filter, own) in filters {
            // Equal names in the query and the body of a `POST` do not collide.
            let isElsewhere = isPost && pagesAreInQuery != (filter.place == .query)
            if !isElsewhere { checkPages(filter, pagination, at: own["param"] ?? own) }
            if filter.isComposed { checkParts(filter, parts, at: own) }
            parts.add(filter)
        }
        return filters.map(\.definition)
    }

    /// For each shared query parameter, the first filter that uses it. Filters share a parameter if their values form
    /// one string, such as `label:bug author:ann`.
    private struct ComposedParts {
        private(set) var first: [String: FilterDefinition] = [:]
        private(set) var firstWrapped: [String: FilterDefinition] = [:]

        mutating func add(_ filter: FilterDefinition) {
            guard filter.isComposed else { return }
            if first[filter.parameter] == nil { first[filter.parameter] = filter }
            if filter.wrap != nil, firstWrapped[filter.parameter] == nil { firstWrapped[filter.parameter] = filter }
        }
    }

    /// Reports an error for a filter that is never sent because the pagination sends a parameter with the same name.
    private func checkPages(_ filter: FilterDefinition, _ pagination: JSONView?, at view: JSONView) {
        if pagination?["param"]?.isString(filter.parameter) == true {
            reader.fault(
                "the filter '\(filter.name)' is never sent: 'pagination' uses the parameter '\(filter.parameter)';"
                    + " remove the filter, or choose another parameter", at: view)
        } else if pagination?["size"]?["param"]?.isString(filter.parameter) == true {
            reader.fault(
                "the filter '\(filter.name)' is never sent: 'size' uses the parameter '\(filter.parameter)';"
                    + " remove the filter or 'size', or choose another parameter", at: view)
        }
    }

    /// Reports an error if a filter and an earlier filter with the same parameter have different values of `with` or
    /// `wrap`.
    private func checkParts(_ filter: FilterDefinition, _ before: ComposedParts, at view: JSONView) {
        if let other = before.first[filter.parameter], other.with != filter.with {
            reader.fault(
                "the filters '\(other.name)' and '\(filter.name)' share the parameter '\(filter.parameter)', but have"
                    + " different values of 'with'; use the same value",
                at: view["with"] ?? view)
        }
        if let other = before.firstWrapped[filter.parameter], let wrap = filter.wrap, wrap != other.wrap {
            reader.fault(
                "the filters '\(other.name)' and '\(filter.name)' share the parameter '\(filter.parameter)', but have"
                    + " different values of 'wrap'; use the same value",
                at: view["wrap"] ?? view)
        }
    }

    private func filter(_ name: String, _ object: CatalogObject) -> FilterDefinition? {
        let parameter = object["param"] == nil ? name : object.text("param")
        let unit = object.value("unit", "\"s\" or \"ms\"") {
            $0.string.flatMap { ParameterType.DateUnit(rawValue: $0) }
        }
        var filter = FilterDefinition(name: name, parameter: parameter ?? name)
        if let view = object["type"] { filter.type = type(view, unit: unit) ?? .any }
        if let view = object["unit"], !filter.type.isDate {
            reader.fault("'unit' is allowed only for the type \"date\"; remove 'unit' or change the type", at: view)
        }
        filter.isRequired = object.flag("required") ?? false
        filter.allowsEmpty = object.flag("allowEmpty") ?? false
        if let join = object.text("join") { filter.join = join == "repeat" ? .repeated : .by(join) }
        if let view = object["join"], !filter.type.isArray, filter.type != .any {
            reader.fault(
                "'join' needs a type with several values, such as [\"string\"]; change 'type' or remove 'join'",
                at: view)
        }
        filter.split = object.value("split", "a non-empty string") { view in
            view.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        let isTypeFaulty = filter.type == .any && object["type"]?.isString("any") == false
        if let view = object["split"], !filter.type.isArray, !isTypeFaulty {
            reader.fault("'split' needs an array type, such as [\"string\"]; change 'type' or remove 'split'", at: view)
        }
        filter.standard = defaultValue(in: object, expected: filter.expected, filter.canonical)
        if filter.isRequired, filter.standard != nil, let view = object["required"] {
            reader.fault(
                "'required' has no effect on a filter with a 'default'; remove one of them", at: view)
        }
        filter.place = object.value("in", "\"query\" or \"body\"") {
            $0.string.flatMap { ListParameter.Place(rawValue: $0) }
        }
        filter.form = template("as", in: object)
        if filter.isComposed, object["join"] != nil, case .by(let join) = filter.join { filter.joinInPart = join }
        filter.with = object.text("with") ?? " "
        filter.quote = object.text("quote")
        filter.wrap = template("wrap", in: object)
        for key in ["with", "quote", "wrap"] where filter.form == nil {
            if let view = object[key] { reader.fault("'\(key)' needs 'as'", at: view) }
        }
        return parameter == nil ? nil : filter
    }

    /// Returns the string of a key such as `as` or `wrap`. Reports an error if the string lacks `{}`, the placeholder
    /// for the value.
    private func template(_ key: String, in object: CatalogObject) -> String? {
        guard let text = object.text(key), let view = object[key] else { return nil }
        if !text.contains("{}") { reader.fault("'\(key)' must contain '{}', the placeholder for the value", at: view) }
        return text
    }

    /// Returns the default value of a filter or scope parameter in its canonical form. Nil if there is no valid default
    /// value.
    private func defaultValue(
        in object: CatalogObject, expected: String, _ canonical: (JSONValue) -> JSONValue?
    ) -> JSONValue? {
        guard let view = object["default"], !view.isNull else { return nil }
        let value =
            view.kind == .string
            ? reader.expandedWithoutSecrets(view, "default").map { .string($0) } : JSONValue(view)
        guard let value else { return nil }
        guard let canonical = canonical(value) else {
            reader.fault("'default' must be \(expected)", at: view)
            return nil
        }
        return canonical
    }

    private func type(_ view: JSONView, unit: ParameterType.DateUnit?, isElement: Bool = false) -> ParameterType? {
        switch view.kind {
        case .string:
            switch view.string {
            case "string": return .string
            case "integer": return .integer
            case "number": return .number
            case "boolean": return .boolean
            case "any": return .any
            case "date": return .date(unit)
            default:
                let text = view.string ?? ""
                if text.hasSuffix("?"), Self.types.contains(String(text.dropLast())) {
                    reader.fault(
                        "the type of a filter or scope cannot end with '?'; write \"\(text.dropLast())\" (filters are optional unless"
                            + " \"required\", scopes are optional with a \"default\")", at: view)
                    return nil
                }
                reader.fault(TypeNames.fault(text, known: Self.types, isElement: isElement), at: view)
                return nil
            }
        case .array:
            let elements = Array(view.elements)
            if elements.count == 1 {
                guard let element = type(elements[0], unit: unit, isElement: true) else { return nil }
                if case .array = element {
                    reader.fault(
                        "an array must not contain arrays; use an array of one level, such as [\"string\"]",
                        at: elements[0])
                }
                return .array(element)
            }
            let values = elements.compactMap { $0.string }
            if elements.count >= 2, values.count == elements.count { return .enumeration(values) }
            reader.fault(
                "an array must contain one type, such as [\"string\"], or the values of an enumeration, such as"
                    + " [\"open\", \"closed\"]",
                at: view)
            return nil
        case .object, .null, .true, .false, .number:
            reader.fault("the type of a parameter must be a name such as \"string\", or an array", at: view)
            return nil
        }
    }
}

extension ParameterType {
    fileprivate var isDate: Bool {
        switch self {
        case .date: true
        case .array(let element): element.isDate
        default: false
        }
    }
}
