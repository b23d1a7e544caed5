import JSON
import System

/// Reads what a catalog's parameters take: the filters of a list, and the scope of a resource.
package struct ParametersDecoder {
    /// The parameters that methods have of their own; no scope may have their names.
    package static let taken = [
        "id", "ids", "page", "pages", "filter", "fields", "cachePolicy", "maxAge", "maxPages", "workDoneToken", "text",
        "limit", "offset", "observer", "scope", "resource", "olderThan",
    ]
    /// Every text of a resource is searched for the name of each part of its scope.
    static let maxScopeNames = 100
    static let types = ["string", "integer", "number", "boolean", "date", "any"]

    let reader: CatalogReader

    /// The scope of a resource.
    func scope(_ view: JSONView, of resource: CatalogObject) -> [ScopeDefinition] {
        guard view.kind == .object else {
            reader.fault("'scope' of \(resource.what) must be an object", at: view)
            return []
        }
        let members = reader.members(of: view, in: "'scope' of \(resource.what)")
        if members.count > Self.maxScopeNames {
            reader.fault("'scope' of \(resource.what) has at most \(Self.maxScopeNames) names", at: view)
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
            return ScopeDefinition(name: member.name, type: type, standard: standard(in: object, type))
        }
    }

    private func checkScopeName(_ name: String, at view: JSONView) {
        let isName =
            name.first?.isLetter == true && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        if !isName {
            reader.fault("a name in 'scope' is letters, digits and '_', with a letter first", at: view)
        } else if Self.taken.contains(name) {
            reader.fault("'\(name)' is a parameter of the methods' own; choose another name for the scope", at: view)
        }
    }

    /// The parents of an item are single values.
    private func scalar(_ type: ParameterType, at view: JSONView) -> ParameterType {
        switch type {
        case .string, .integer, .number, .boolean, .enumeration: return type
        case .array, .any, .date:
            reader.fault("a scope is a string, an integer, a number, a boolean or an enumeration", at: view)
            return .string
        }
    }

    /// The filters of a list.
    func filters(_ view: JSONView, of list: CatalogObject) -> [FilterDefinition] {
        guard view.kind == .object else {
            reader.fault("'filters' must be an object of strings, or of objects with 'param'", at: view)
            return []
        }
        let members = reader.members(of: view, in: "'filters'")
        let filters = members.compactMap { member -> (definition: FilterDefinition, view: JSONView)? in
            guard member.value.kind == .object else {
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
            // A `POST` has two places for parameters, which know nothing of each other.
            let isElsewhere = isPost && pagesAreInQuery != (filter.place == .query)
            if !isElsewhere { checkPages(filter, pagination, at: own["param"] ?? own) }
            if filter.isComposed { checkParts(filter, parts, at: own) }
            parts.add(filter)
        }
        return filters.map(\.definition)
    }

    /// The filters read so far that are parts of one text, by the parameter of that text.
    private struct ComposedParts {
        private(set) var first: [String: FilterDefinition] = [:]
        private(set) var firstWrapped: [String: FilterDefinition] = [:]

        mutating func add(_ filter: FilterDefinition) {
            guard filter.isComposed else { return }
            if first[filter.parameter] == nil { first[filter.parameter] = filter }
            if filter.wrap != nil, firstWrapped[filter.parameter] == nil { firstWrapped[filter.parameter] = filter }
        }
    }

    /// What asks for a page takes the place of a filter, which so would do nothing.
    private func checkPages(_ filter: FilterDefinition, _ pagination: JSONView?, at view: JSONView) {
        let isSent = "'\(filter.parameter)' is sent by"
        if pagination?["param"]?.isString(filter.parameter) == true {
            reader.fault(
                "\(isSent) 'pagination', to ask for a page: the filter '\(filter.name)' would never be; take it out, or"
                    + " name another parameter", at: view)
        } else if pagination?["size"]?["param"]?.isString(filter.parameter) == true {
            reader.fault(
                "\(isSent) 'size' of 'pagination': the filter '\(filter.name)' would never be; take one of them out, or"
                    + " name another parameter", at: view)
        }
    }

    /// The parts of one text have one thing between them, and one around all.
    private func checkParts(_ filter: FilterDefinition, _ before: ComposedParts, at view: JSONView) {
        if let other = before.first[filter.parameter], other.with != filter.with {
            reader.fault(
                "'with' must be that of the filter '\(other.name)', with which it makes up '\(filter.parameter)'",
                at: view["with"] ?? view)
        }
        if let other = before.firstWrapped[filter.parameter], let wrap = filter.wrap, wrap != other.wrap {
            reader.fault(
                "'wrap' must be that of the filter '\(other.name)', with which it makes up '\(filter.parameter)'",
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
            reader.fault("'unit' goes with the type \"date\"", at: view)
        }
        filter.isRequired = object.flag("required") ?? false
        filter.allowsEmpty = object.flag("allowEmpty") ?? false
        if let join = object.text("join") { filter.join = join == "repeat" ? .repeated : .by(join) }
        if let view = object["join"], !filter.type.isArray, filter.type != .any {
            reader.fault("'join' goes with a type of several values, such as [\"string\"]", at: view)
        }
        filter.standard = standard(in: object, filter.type)
        if filter.isRequired, filter.standard != nil, let view = object["required"] {
            reader.fault(
                "a filter with a 'default' is never missing: one of 'default' and 'required' must go", at: view)
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
            if let view = object[key] { reader.fault("'\(key)' goes with 'as'", at: view) }
        }
        return parameter == nil ? nil : filter
    }

    /// A text with a place for a value.
    private func template(_ key: String, in object: CatalogObject) -> String? {
        guard let text = object.text(key), let view = object[key] else { return nil }
        if !text.contains("{}") { reader.fault("'\(key)' needs '{}', the place of the value", at: view) }
        return text
    }

    /// What stands for a value that is not given, in its canonical form.
    private func standard(in object: CatalogObject, _ type: ParameterType) -> JSONValue? {
        guard let view = object["default"], !view.isNull else { return nil }
        let value = view.kind == .string ? reader.shown(view, "default").map { .string($0) } : JSONValue(view)
        guard let value else { return nil }
        guard let canonical = type.canonical(value) else {
            reader.fault("'default' must be \(type.expected)", at: view)
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
                        "filters are optional unless they are \"required\", and a scope's names with a \"default\": write"
                            + " \"\(text.dropLast())\"", at: view)
                    return nil
                }
                reader.fault(TypeNames.fault(text, known: Self.types, isElement: isElement), at: view)
                return nil
            }
        case .array:
            let elements = Array(view.elements)
            if elements.count == 1 {
                guard let element = type(elements[0], unit: unit, isElement: true) else { return nil }
                if case .array = element { reader.fault("an array's elements are no arrays", at: elements[0]) }
                return .array(element)
            }
            let values = elements.compactMap { $0.string }
            if elements.count >= 2, values.count == elements.count { return .enumeration(values) }
            reader.fault("an array has one element, its type, or is an enumeration of two or more strings", at: view)
            return nil
        case .object, .null, .true, .false, .number:
            reader.fault("the type of a parameter is a name or an array", at: view)
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
