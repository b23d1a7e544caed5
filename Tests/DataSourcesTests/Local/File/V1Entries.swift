import DataSources
import JSON
import Model
import System

/// What `Fixtures/cache/v1.sqlite` holds: a cache file of schema version 1, made with the version that had it.
enum V1Entries {
    typealias Entries = LocalEntries

    /// Locations and item 2 of characters are marked stale.
    static let items: [ItemEntity] = [
        item("1", #"{"id":1,"name":"Rick Sanchez"}"#), stale(item("2", #"{"id":2,"name":"Morty Smith"}"#)),
        item("é", #"{"id":"é","name":"\"\u0000\u2028"}"#),
        Entries.item("1", isPartial: true, json: #"{"id":1}"#, at: 1_700_000_000_001),
        Entries.item("1", of: Entries.otherCharacter, json: #"{"id":1,"name":"Another"}"#, at: 1_700_000_000_002),
        stale(Entries.item("20", of: Entries.location, json: #"{"id":20}"#, at: -5)),
    ]

    /// The lists that the pages are of have filters of every kind.
    static let requests: [PageRequest] = [
        PageRequest(), PageRequest(page: .number(2)),
        PageRequest(filters: [.init("name", .string("rick \"é\" \\ / \u{7} \u{2028} \u{1F680}"))]),
        PageRequest(
            page: .opaque("a\"}b"),
            filters: [.init("alive", .bool(true)), .init("limit", .number("-1.50e3")), .init("a.b", .string(""))]),
    ]

    static let pages: [PageEntity] =
        requests.map { page($0, Entries.character, ["1", "2", "1"]) } + [
            countedPage,
            page(requests[2], Entries.otherCharacter, ["1"]),
            PageEntity(
                key: PageKey(resource: Entries.character, PageRequest(page: .number(9))), ids: ["1"], isPartial: true,
                info: [], fetchedAt: Timestamp(milliseconds: 0)),
            stalePage,
        ]

    /// Its count stood in the info alone.
    private static let countedPage = PageEntity(
        key: PageKey(resource: Entries.location, PageRequest(page: .number(4))), ids: [],
        info: Array(#"{"current":4,"pages":7,"count":126}"#.utf8), fetchedAt: Timestamp(milliseconds: 4),
        isInvalidated: true, count: 126, pages: 7)

    private static let stalePage: PageEntity = {
        var stale = page(PageRequest(page: .number(3)), Entries.location, ["20"])
        stale.isInvalidated = true
        return stale
    }()

    private static func item(_ id: String, _ json: String) -> ItemEntity {
        Entries.item(id, json: json, at: 1_700_000_000_000)
    }

    private static func stale(_ item: ItemEntity) -> ItemEntity {
        var stale = item
        stale.isInvalidated = true
        return stale
    }

    private static func page(_ request: PageRequest, _ resource: ResourceKey, _ ids: [String]) -> PageEntity {
        PageEntity(
            key: PageKey(resource: resource, request), ids: ids, info: Array(#"{"current":1,"pages":42}"#.utf8),
            fetchedAt: Timestamp(milliseconds: 1_700_000_000_003), pages: 42)
    }
}
