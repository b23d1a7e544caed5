import DataSources
import JSON
import Model
import Protocol
import Repositories

/// Maps repository errors to the errors of JSON-RPC replies, and redacts the secrets in their messages.
struct RPCErrorMapper: MapperContract {
    private let redactor: Redactor

    init(redactor: Redactor) { self.redactor = redactor }

    /// Converts a repository error to an error for the reply.
    func map(_ error: RepositoryError) -> RPCError {
        switch error {
        case .remote(let error), .noPage(let error): remote(error)
        case .notCached(let resource):
            RPCError(
                .notCached,
                "not cached: the cache policy or --offline forbids a request to the API; use another policy, or remove"
                    + " --offline",
                data: data(.notCached, [("resource", .string(resource))]))
        case .busy(let limit):
            RPCError(
                .busy, "too many requests: \(limit) already wait for APIs; try again later, or raise --max-in-flight",
                data: data(.busy))
        }
    }

    /// Calls a repository. Converts a `RepositoryError` to the error of the reply.
    func mapping<Value: Sendable>(
        _ call: () async throws(RepositoryError) -> Value
    ) async throws(RPCError) -> Value {
        do throws(RepositoryError) { return try await call() } catch { throw map(error) }
    }

    /// Converts the error of a failed API call to an error for the reply. A reply with a stale value contains the
    /// converted error as its member `fallback`.
    func remote(_ error: APIError) -> RPCError {
        let code = Self.code(of: error.kind)
        var data = data(code)
        data["api"] = error.api.map { .string($0) }
        data["resource"] = error.resource.map { .string($0) }
        data["status"] = error.status.map { .integer($0) }
        data["path"] = error.path.map { .string(redactor.redact($0)) }
        data["retryAfter"] = error.retryAfter.map { .integer($0) }
        data["attempts"] = error.attempts.map { .integer($0) }
        data["apiMessage"] = error.apiMessage.map { .string(redactor.redact($0)) }
        data["url"] = error.url.map { .string(redactor.redact($0)) }
        return RPCError(code, redactor.redact(error.message), data: data)
    }

    /// Converts the error of a local data source, such as the cache file, to an error for the reply.
    func local(_ error: LocalDataError) -> RPCError {
        RPCError(.internalError, redactor.redact(error.message))
    }

    /// Converts the error of a query over the cache to an error for the reply.
    func query(_ error: QueryError) -> RPCError {
        switch error {
        case .statement(let message, let offset):
            let place = offset.map { " (at byte \($0) of 'sql')" } ?? ""
            return RPCError(
                .invalidParams, redactor.redact(message) + place,
                data: JSONObject(offset.map { [("offset", .integer($0))] } ?? []))
        case .notSynced(let tables): return notSynced(tables)
        case .limit(let limit, let message):
            return RPCError(
                .queryLimit, "\(message); narrow the query",
                data: data(.queryLimit, [("limit", .string(limit.rawValue))]))
        case .busy:
            return RPCError(
                .busy, "\(CacheQueries.maxWaiting) other queries already wait; try again later", data: data(.busy))
        case .blocked:
            return RPCError(
                .busy, "other queries still run after their time limit; try again later", data: data(.busy))
        case .cancelled: return RPCError(.requestCancelled, "the query was cancelled", data: data(.requestCancelled))
        case .local(let error): return local(error)
        }
    }

    /// Returns the error for tables without complete local copies. It contains the calls that would make the copies.
    private func notSynced(_ tables: [QueryError.UnsyncedTable]) -> RPCError {
        let names = tables.map { "'\($0.name)'" }.joined(separator: ", ")
        let calls = tables.filter(\.hasList).flatMap { table in
            (table.scopes.isEmpty ? [JSONObject([])] : table.scopes).map { scope -> JSONValue in
                .object(JSONObject([("method", .string("\(table.resource)/sync")), ("params", .object(scope))]))
            }
        }
        return RPCError(
            .notSynced,
            "no complete, recent copy of \(names): call the methods in 'data.calls', or leave out 'coverage' and 'maxAge'",
            data: data(.notSynced, [("tables", .array(tables.map { .string($0.name) })), ("calls", .array(calls))]))
    }

    private func data(_ code: RPCError.Code, _ more: [(String, JSONValue)] = []) -> JSONObject {
        JSONObject((code.kind.map { [("kind", .string($0))] } ?? []) + more)
    }

    private static func code(of kind: APIError.Kind) -> RPCError.Code {
        switch kind {
        case .invalidRequest: .apiInvalidRequest
        case .invalidResponse: .invalidResponse
        case .notFound: .notFound
        case .serverError: .serverError
        case .decodingFailed: .decodingFailed
        case .unauthorized: .unauthorized
        case .rateLimited: .rateLimited
        case .network: .network
        case .timeout: .timeout
        case .tooLarge: .tooLarge
        case .busy: .busy
        case .notReplayed: .notReplayed
        case .cancelled: .requestCancelled
        }
    }
}
