import DataSources
import JSON
import Model
import Protocol

/// `RESOURCE/search`: searches the cached items, without a network request.
struct SearchHandler: Handler {
    let context: ResourceContext

    /// The validated parameters of a `search` request.
    struct Request: Sendable {
        let params: SearchParams
        let filters: [PageRequest.Filter]
        let fields: FieldsParam?
    }

    var readsCache: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name), summary: "Searches the cached items, without network.",
            details:
                "Each word matches the beginning of a word, ignoring case and accents. `filter` takes fields of items.",
            narrowed: ["filter": filterSchema, "fields": context.fieldsSchema],
            result: SearchResult.schema(item: context.itemSchema))
    }

    func begin(
        _ params: SearchParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let request = try request(params)
        return .work(Work { () async throws(RPCError) in try await search(request) })
    }

    /// Validates the parameters of a `search` request.
    ///
    /// - Throws: `invalidParams` for a filter or a field that is unknown or invalid for the resource.
    func request(_ params: SearchParams) throws(RPCError) -> Request {
        Request(params: params, filters: try filters(params.filter), fields: try context.fields(params.fields))
    }

    /// Searches the cached items.
    func search(_ request: Request) async throws(RPCError) -> SearchResult {
        do throws(LocalDataError) {
            let hits = try await context.repository.search(
                request.params.text, filters: request.filters, scope: context.narrowing, limit: request.params.limit,
                offset: request.params.offset)
            let fields = context.checked(request.fields, in: hits.items)
            return SearchResult(
                items: fields?.pick(from: hits.items) ?? hits.items, count: hits.count, oldest: hits.oldest,
                syncedAt: hits.syncedAt)
        } catch {
            throw context.errors.local(error)
        }
    }

    /// The names of the item fields that the catalog declares; nil if the catalog declares no fields.
    private var fields: FieldNames? { context.repository.resource.fields.map { FieldNames(fields: $0) } }

    private var filterSchema: JSONSchema {
        guard let fields else { return .map(of: FilterParam.valueSchema) }
        return .map(of: FilterParam.valueSchema, names: fields.patterns)
    }

    private func filters(_ param: FilterParam?) throws(RPCError) -> [PageRequest.Filter] {
        guard let param else { return [] }
        let fields = fields
        var filters: [PageRequest.Filter] = []
        for member in param.members {
            if let fields, !fields.contain(member.name) {
                let known = fields.all.map { "'\($0)'" }.joined(separator: ", ")
                throw RPCError(
                    .invalidParams, "'filter' has no '\(member.name.prefix(100))'; use one of \(known)")
            }
            filters.append(PageRequest.Filter(member.name, member.value))
        }
        return filters
    }
}
