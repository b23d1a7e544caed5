import DataSources
import JSON
import Protocol

/// `R/search`: what is in the cache, never the network.
struct SearchHandler: Handler {
    /// The fields of an item; nil where it may have any.
    let fields: FieldNames?
    let errors: RPCErrorMapper
    let search:
        @Sendable (_ text: String?, _ filters: [PageRequest.Filter], _ limit: Int, _ offset: Int)
            async
            throws(LocalDataError) -> SearchHits

    func begin(_ params: ParamsReader, result: inout JSONWriter) throws(RPCError) -> Step {
        let params = try SearchParams(params)
        let filters = try filters(params.filter)
        return .work(
            Work { () async throws(RPCError) in
                do throws(LocalDataError) {
                    let hits = try await search(params.text, filters, params.limit, params.offset)
                    return SearchResult(items: hits.items, count: hits.count)
                } catch {
                    throw errors.local(error)
                }
            })
    }

    private func filters(_ param: FilterParam?) throws(RPCError) -> [PageRequest.Filter] {
        var filters: [PageRequest.Filter] = []
        for member in param?.members ?? [] {
            if let fields, !fields.contain(member.name) {
                let known = fields.all.map { "'\($0)'" }.joined(separator: ", ")
                throw RPCError(
                    .invalidParams, "'filter' has no '\(member.name.prefix(100))': the fields of an item are \(known)")
            }
            filters.append(PageRequest.Filter(member.name, member.value))
        }
        return filters
    }
}
