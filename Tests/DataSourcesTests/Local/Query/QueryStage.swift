import Catalog
import JSON
import System
import TestSupport

@testable import DataSources
@testable import Model

/// A test fixture: a cache file, a catalog with several resources, and queries over their tables.
struct QueryStage {
    /// Resources with each type of field, with a scope, and without fields.
    static let catalog = """
        {
          "larder": 1,
          "apis": {"desk": {"baseURL": "http://127.0.0.1:1"}},
          "resources": {
            "ticket": {
              "api": "desk", "id": "integer",
              "fields": {
                "id": "integer", "title": "string", "state": ["open", "closed"], "votes": "integer?",
                "price": "number?", "urgent": "boolean?", "at": "date?", "labels": ["string?"], "owner": "string?",
                "more": "any"
              },
              "rest": {"get": {"path": "/tickets/{id}"}, "list": {"path": "/tickets"}}
            },
            "user": {
              "api": "desk", "id": "string", "fields": {"id": "string", "Name": "string?", "name": "string?"},
              "rest": {"get": {"path": "/users/{id}"}, "list": {"path": "/users"}}
            },
            "note-book": {
              "api": "desk", "id": "string", "scope": {"team": "string", "year": "integer"},
              "fields": {"id": "string", "text": "string?"},
              "cache": {"freshFor": "1h", "keepFor": "1d"},
              "rest": {
                "get": {"path": "/{team}/{year}/notes/{id}"}, "list": {"path": "/{team}/{year}/notes"}
              }
            },
            "raw": {"api": "desk", "id": "string", "rest": {"get": {"path": "/raw/{id}"}}}
          }
        }
        """

    static let (ticket, user) = (key("ticket", 1), key("user", 2))
    static let (notes, raw) = (key("note-book", 3), key("raw", 4))

    let folder: TemporaryDirectory
    let clock = ClockMock()
    let source: EntityDataSource
    let queries: CacheQueries
    let schema: QuerySchema

    init(hasFile: Bool = true, memoryLimit: Int = 128 << 20, memory: [ItemEntity] = []) throws {
        folder = try TemporaryDirectory()
        source = EntityDataSource(path: folder.file("cache.sqlite"), limit: 1 << 28, clock: clock) { _ in }
        let items = MemoryDataSource(limit: 1 << 24)
        items.save(LocalChange(items: memory))
        queries = CacheQueries(
            file: hasFile ? source : nil, memory: items, clock: clock, memoryLimit: memoryLimit)
        schema = try Self.schema(Self.catalog)
    }

    static func schema(_ text: String) throws -> QuerySchema {
        let catalog = try CatalogDecoder.decode(Array(text.utf8), secrets: .empty)
        let keys = ["ticket": ticket, "user": user, "note-book": notes, "raw": raw]
        return QuerySchema(
            catalog.resources.enumerated().map { index, resource in
                (resource, keys[resource.name] ?? key(resource.name, UInt64(index + 10)))
            })
    }

    private static func key(_ name: String, _ number: UInt64) -> ResourceKey {
        ResourceKey(name: name, fingerprint: .init(high: number, low: number))
    }

    static func notes(team: String, year: Int) -> ResourceKey {
        notes.scoped(ResourceScope([("team", .string(team)), ("year", .integer(year))]))
    }

    func save(_ items: ItemEntity...) { source.save(LocalChange(items: items)) }

    /// Saves tickets with the given ids. The title of a ticket contains its id.
    func saveTickets(_ ids: some Sequence<Int>) {
        source.save(
            LocalChange(
                items: ids.map {
                    LocalEntries.item(
                        String($0), of: Self.ticket, json: #"{"id":\#($0),"title":"t\#($0)","state":"open"}"#)
                }))
    }

    func answer(_ query: CacheQuery) async throws(QueryError) -> QueryAnswer { try await queries.run(query, schema) }

    func answer(_ sql: String) async throws(QueryError) -> QueryAnswer { try await answer(CacheQuery(sql)) }

    /// Returns the rows of a statement as JSON.
    func rows(_ sql: String, _ parameters: CacheQuery.Parameters = .none) async throws(QueryError) -> String {
        var query = CacheQuery(sql)
        query.parameters = parameters
        return String(decoding: try await answer(query).rows, as: UTF8.self)
    }

    /// Returns the error of a statement; nil if it succeeds.
    func error(_ sql: String) async -> QueryError? {
        do throws(QueryError) {
            _ = try await answer(sql)
            return nil
        } catch {
            return error
        }
    }

    /// Runs a statement over the cache file in a connection of its own.
    func change(_ sql: String) async throws {
        await source.flush()
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        try connection.execute(sql)
        connection.close()
    }
}
