import DataSources
import JSON
import Model
import Protocol
import System

/// `cache/query`: runs a read-only SQL statement over all cached items.
struct QueryHandler: Handler {
    let errors: RPCErrorMapper
    let clock: any ClockContract
    /// The object that runs SQL statements over the tables of the catalog.
    let queries: CatalogQueries

    var readsCache: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .cache, summary: "Runs a SELECT statement over all cached items, without network.",
            details: """
                Each resource is a table. The tables `larder_tables` and `larder_columns` describe the tables. \
                `tables` in the result shows how much of the API's data the tables contain.
                """,
            result: QueryResult.schema, errors: [.busy, .notSynced, .queryLimit])
    }

    func begin(_ params: QueryParams, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step {
        .work(Work { () async throws(RPCError) in try await answer(params) })
    }

    /// Runs an SQL statement, and returns its result.
    func answer(_ params: QueryParams) async throws(RPCError) -> QueryResult {
        do throws(QueryError) {
            let answer = try await queries.run(CacheQuery(params))
            return QueryResult(
                columns: answer.columns, rows: answer.rows, count: answer.count, isTruncated: answer.isTruncated,
                tables: answer.tables.map(member))
        } catch {
            throw errors.query(error)
        }
    }

    private func member(_ report: QueryTableReport) -> JSONObject {
        var member = JSONObject([
            ("name", .string(report.name)), ("rows", .integer(report.rows)),
            ("coverage", .string(report.coverage.rawValue)),
        ])
        if let time = report.syncedAt {
            member["asOf"] = .string(time.rfc3339)
            member["deletions"] = report.deletions.map { .string($0.rawValue) }
            let age = max(0, clock.now().milliseconds &- time.milliseconds)
            member["age"] = .number((Double(age) / 1000).description)
        } else {
            member["oldest"] = report.oldest.map { .string($0.rfc3339) }
            member["newest"] = report.newest.map { .string($0.rfc3339) }
        }
        if report.damaged > 0 { member["damaged"] = .integer(report.damaged) }
        return member
    }
}

extension CacheQuery {
    fileprivate init(_ params: QueryParams) {
        self.init(params.sql)
        switch params.params {
        case .array(let values): parameters = .positions(values)
        case .object(let object): parameters = .names(object.members.map { ($0.key, $0.value) })
        default: break
        }
        (maxRows, timeout, maxAge) = (params.maxRows, params.timeout, params.maxAge)
        needsSync = params.coverage == .synced
    }
}
