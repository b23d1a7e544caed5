import DataSources
import JSON
import Protocol

/// From the wire's words for a page to the data sources'.
extension ListDefinition {
    /// The request for a page.
    ///
    /// - Throws: `invalidParams` for a filter or a page that the list cannot have.
    func request(page: PageToken?, filter: FilterParam?) throws(RPCError) -> PageRequest {
        PageRequest(page: try token(page), filters: try filters(filter))
    }

    /// The filters.
    ///
    /// - Throws: `invalidParams` for one that the list does not have.
    func filters(_ filter: FilterParam?) throws(RPCError) -> [PageRequest.Filter] {
        let members = filter?.members ?? []
        for member in members where !filters.contains(where: { $0.name == member.name }) {
            let known = filters.map { "'\($0.name)'" }.joined(separator: ", ")
            throw RPCError(
                .invalidParams,
                "'filter' has no '\(member.name.prefix(100))': "
                    + (known.isEmpty ? "this list has no filters" : "this list is filtered by \(known)"))
        }
        return members.map { PageRequest.Filter($0.name, $0.value) }
    }

    /// What `filters(_:)` takes, as a schema.
    var filterSchema: JSONSchema { .object(filters.map { .optional($0.name, FilterParam.valueSchema) }) }

    /// What names a page of the list, as a schema.
    var pageSchema: JSONSchema {
        switch pageForm {
        case .number(let least): .integer(from: least)
        // The first page has no name of its own.
        case .opaque: .any(of: [.integer(from: .min), .string(minLength: 1)]).orNull
        }
    }

    private func token(_ param: PageToken?) throws(RPCError) -> PageToken {
        guard let param else { return firstPage }
        guard pageForm.takes(param) else { throw RPCError(.invalidParams, "'page' must be \(pageForm.expected)") }
        return param
    }
}
