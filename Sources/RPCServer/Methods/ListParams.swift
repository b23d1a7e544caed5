import Catalog
import DataSources
import JSON
import Model
import Protocol

/// Converts the parameters of a list request to a `PageRequest`.
extension ListDefinition {
    /// Returns the request for one page of the list.
    ///
    /// - Throws: `invalidParams` for a filter or a page that is invalid for the list.
    func request(page: PageToken?, filter: FilterParam?) throws(RPCError) -> PageRequest {
        PageRequest(page: try token(page), filters: try filters(filter))
    }

    /// Returns the filters of a request in canonical form, in the order of the catalog. Adds the default values of
    /// absent filters.
    ///
    /// - Throws: `invalidParams` for an unknown filter, a value of the wrong type, or a missing required filter.
    func filters(_ filter: FilterParam?) throws(RPCError) -> [PageRequest.Filter] {
        let members = filter?.members ?? []
        if members.isEmpty, !hasDuties { return [] }
        for member in members where !filters.contains(where: { $0.name == member.name }) {
            let known = filters.map { "'\($0.name)'" }.joined(separator: ", ")
            throw RPCError(
                .invalidParams,
                "'filter' has no '\(member.name.prefix(100))'"
                    + (known.isEmpty ? ": this list has no filters; remove 'filter'" : "; use one of \(known)"))
        }
        var out: [PageRequest.Filter] = []
        for filter in filters {
            let given = members.first { $0.name == filter.name }?.value
            if let value = try value(of: filter, given) { out.append(PageRequest.Filter(filter.name, value)) }
        }
        return out
    }

    /// Returns the canonical value of a filter: the given value, or else the default value.
    private func value(of filter: FilterDefinition, _ given: JSONValue?) throws(RPCError) -> JSONValue? {
        let isEmpty = given == .array([]) && filter.type.isArray || given == "" && !filter.allowsEmpty
        guard let given, !isEmpty else {
            if filter.isRequired {
                throw RPCError(.invalidParams, "'filter.\(filter.name)' is missing; pass \(filter.expected)")
            }
            return filter.standard
        }
        guard let value = filter.canonical(given) else {
            let near = filter.type.suggestion(for: filter.splitting(given))
            throw RPCError(.invalidParams, "'filter.\(filter.name)' must be \(filter.expected)\(near)")
        }
        return value
    }

    private var hasDuties: Bool { filters.contains { $0.isRequired || $0.standard != nil } }

    var filterSchema: JSONSchema {
        .object(
            filters.map { filter in
                let values = JSONSchema(filter.type)
                let schema = filter.split == nil ? values : .any(of: [values, .string])
                if filter.isRequired { return .required(filter.name, schema) }
                return .optional(filter.name, filter.standard.map { schema.byDefault($0) } ?? schema)
            })
    }

    /// The JSON Schema of the list's `page` parameter, which is a page number or a cursor.
    var pageSchema: JSONSchema {
        switch pageForm {
        case .number(let least): .integer(from: least)
        // The first page has no cursor. The value null selects the first page.
        case .opaque: .any(of: [.integer(from: .min), .string(minLength: 1)]).orNull
        }
    }

    private func token(_ param: PageToken?) throws(RPCError) -> PageToken {
        guard let param else { return firstPage }
        guard pageForm.takes(param) else { throw RPCError(.invalidParams, "'page' must be \(pageForm.expected)") }
        return param
    }
}

extension JSONSchema {
    /// Creates the JSON Schema of the values that a parameter of the given type accepts.
    init(_ type: ParameterType) {
        switch type {
        case .string: self = .any(of: [.string, .number, .boolean])
        case .integer: self = .any(of: [.integer, .string(pattern: "^(0|-?[1-9][0-9]*)$")])
        case .number: self = .any(of: [.number, .string])
        case .boolean: self = .any(of: [.boolean, .one(of: ["true", "false"])])
        case .any: self = .anything
        case .date(nil): self = .string
        case .date: self = .any(of: [.string, .integer])
        case .enumeration(let values): self = .one(of: values)
        case .array(let element): self = .any(of: [.array(of: JSONSchema(element)), JSONSchema(element)])
        }
    }
}
