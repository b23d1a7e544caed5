import DataSources
import JSON
import Mocks
import System
import TestSupport

@testable import Catalog
@testable import Model
@testable import Repositories

/// A test fixture: a repository of the resource `thing` with real cache levels, a fixed clock and a scripted remote.
struct Stage {
    static let hour: Int64 = 3_600_000

    let resource: ResourceDefinition
    let key = ResourceKey(name: "thing", fingerprint: .init(high: 1, low: 2))
    let clock = ClockMock()
    let remote: RemoteDataSourceMock
    let memory = MemoryDataSource(limit: 1 << 24)
    let persistence: EntityDataSource
    let background = BackgroundWork()
    let sleep = SleepMock()
    let cache: Cache
    let shared: RepositoryContext
    let repository: ResourceRepository
    /// The logged warnings.
    let warnings = Lock<[String]>([])
    private let folder: TemporaryDirectory
    private let joined = Watched(0)

    /// The level below memory.
    enum Persistence {
        case file
        case none
        case double(any PersistentDataSourceContract)
    }

    init(
        _ declaration: Declaration = Declaration(), maxIDs: Int? = nil, limit: Int = 100,
        persistence kind: Persistence = .file, shared level: (any SharedDataSourceContract)? = nil
    ) throws {
        resource = try declaration.resource()
        folder = try TemporaryDirectory()
        remote = RemoteDataSourceMock(maxIDs: maxIDs)
        persistence = EntityDataSource(path: folder.file("cache.sqlite"), limit: 1 << 30, clock: clock) { _ in }
        let second: (any PersistentDataSourceContract)? =
            switch kind {
            case .file: PrivateFile(file: persistence)
            case .none: nil
            case .double(let double): double
            }
        var syncs: FileSyncStore?
        if case .file = kind { syncs = persistence.syncStore(clock: clock) }
        cache = Cache(memory: memory, file: second, shared: level, syncs: syncs, hub: ChangeHub(sleep: sleep.sleep))
        shared = .init(
            cache: cache, limit: limit, background: background,
            onShared: { [joined] count in joined.change { $0 += count } },
            warn: { [warnings] text in warnings.withLock { $0.append(text) } })
        repository = ResourceRepository(resource: resource, key: key, remote: remote, clock: clock, context: shared)
    }

    /// Waits until `count` requests in total have joined a fetch.
    func shared(_ count: Int) async { await joined.wait { $0 >= count } }

    /// Creates an item as it is cached.
    func entity(_ id: String, _ name: String = "cached", age: Int64 = 0, isInvalidated: Bool = false) -> ItemEntity {
        ItemEntity(
            key: itemKey(id), json: Self.bytes(id, name), fetchedAt: moment(age: age), isInvalidated: isInvalidated)
    }

    func itemKey(_ id: String) -> ItemKey { ItemKey(resource: key, id: id) }

    func pageKey(_ request: PageRequest) -> PageKey { PageKey(resource: key, request) }

    func moment(age: Int64) -> Timestamp { Timestamp(milliseconds: clock.now().milliseconds - age) }

    /// Stores entries as if they had been requested now.
    func save(_ change: LocalChange) { cache.save(change, askedIn: cache.currentEpoch) }

    /// Stores the same items in memory and in the file.
    func keep(_ items: ItemEntity...) {
        memory.save(LocalChange(items: items))
        persistence.save(LocalChange(items: items))
    }

    /// Gives the remote the given items and no others, for single and batch requests.
    func serve(_ ids: String..., name: String = "new") throws {
        let things = try Dictionary(uniqueKeysWithValues: ids.map { ($0, try Self.dto($0, name)) })
        remote.setItem { id in
            things[id].map { .success($0) } ?? .failure(APIError(.notFound, "no such thing", status: 404))
        }
        remote.setItems { .success($0.compactMap { things[$0] }) }
    }

    /// Gives the remote pages of one item each: page 1 has item 1.
    func servePages(_ count: Int, name: String = "new", tellsPages: Bool = true) throws {
        let items = try (1...count).map { try Self.dto(String($0), name) }
        remote.setPage { request in
            guard case .number(let number) = request.page, (1...count).contains(number) else {
                return .failure(APIError(.notFound, "past the end", status: 404))
            }
            let next = number < count || !tellsPages ? PageToken.number(number + 1) : nil
            return .success(
                PageDTO(
                    items: [items[number - 1]],
                    info: PageInfoDTO(current: request.page, pages: tellsPages ? count : nil, next: next)))
        }
    }

    /// Gives the remote the given items on every page.
    func servePage(_ ids: String..., name: String = "new") throws {
        let items = try ids.map { try Self.dto($0, name) }
        remote.setPage { .success(PageDTO(items: items, info: PageInfoDTO(current: $0.page, count: items.count))) }
    }

    static func text(_ id: String, _ name: String) -> String { "{\"id\":\(id),\"name\":\"\(name)\"}" }

    static func bytes(_ id: String, _ name: String) -> [UInt8] { Array(text(id, name).utf8) }

    static func dto(_ id: String, _ name: String) throws -> ItemDTO { try dto(text(id, name)) }

    static func dto(_ text: String, path: String = "") throws -> ItemDTO {
        ItemDTO(json: try JSONDocument(Array(text.utf8)).root, path: path, url: "https://things.test/1")
    }
}

/// The declaration of one resource in a catalog, with a default for each part.
struct Declaration {
    /// The declaration of `id`: the name of a type, or JSON.
    var id = "integer"
    /// The declaration of `fields` as JSON; nil leaves `fields` out.
    var fields: String? = #"{"id": "integer", "name": "string"}"#
    /// The declaration of `cache` as JSON.
    var cache = #"{"freshFor": "1h", "keepFor": "30d"}"#
    /// The declaration of `pagination` as JSON.
    var pagination: String? = #"{"style": "page", "param": "page", "pages": "pages"}"#
    /// Whether the items of a list contain all fields.
    var isComplete = true
    /// Whether the resource declares `get`.
    var hasGet = true
    var hasStrictIDs = false
    /// Further keys of the resource, with a trailing comma.
    var more = ""
    /// Further keys of the resource's list, with a leading comma.
    var list = ""
    /// The declaration of `sync` as JSON; nil leaves `sync` out.
    var sync: String?

    func resource() throws -> ResourceDefinition {
        let fields = fields.map { "\"fields\": \($0)," } ?? ""
        let get = hasGet ? #""get": {"path": "/thing/{id}"},"# : ""
        let pagination = pagination.map { ", \"pagination\": \($0)" } ?? ""
        let sync = sync.map { ", \"sync\": \($0)" } ?? ""
        let text = """
            {
              "larder": 1,
              "apis": {"things": {"baseURL": "https://things.test"}},
              "resources": {
                "thing": {
                  "api": "things", "id": \(id.hasPrefix("{") ? id : "\"\(id)\""), "strictIDs": \(hasStrictIDs), \(more) \(fields)
                  "rest": {
                    \(get)
                    "list": {"path": "/thing", "complete": \(isComplete)\(pagination)\(list)}\(sync)
                  },
                  "cache": \(cache)
                }
              }
            }
            """
        return try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources[0]
    }
}

extension [UInt8] {
    /// The bytes as text, for readable failure messages.
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension ResourceRepository {
    /// Returns several items, without progress reports.
    func items(_ ids: [String], _ control: CacheControl) async throws(RepositoryError) -> BatchAnswer {
        try await items(ids, control) { _, _ in }
    }
}

extension ResourceRepository {
    /// Caches a whole list with the default policy.
    func prefetch(
        filters: [PageRequest.Filter], limit: Int?, onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer {
        try await prefetch(filters: filters, limit: limit, CacheControl(), onPage: onPage)
    }
}
