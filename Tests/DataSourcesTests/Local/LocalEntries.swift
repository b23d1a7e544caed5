import DataSources
import Model
import System

/// Builders for keys and entries in tests.
enum LocalEntries {
    static let character = ResourceKey(name: "character", fingerprint: .init(high: 1, low: 2))
    /// The resource `character` under another catalog.
    static let otherCharacter = ResourceKey(name: "character", fingerprint: .init(high: 1, low: 3))
    static let location = ResourceKey(name: "location", fingerprint: .init(high: .max, low: .max))

    static func key(_ id: String, of resource: ResourceKey = character, isPartial: Bool = false) -> ItemKey {
        ItemKey(resource: resource, id: id, isPartial: isPartial)
    }

    static func item(
        _ id: String, of resource: ResourceKey = character, isPartial: Bool = false, json: String? = nil,
        at: Int64 = 1000
    ) -> ItemEntity {
        ItemEntity(
            key: key(id, of: resource, isPartial: isPartial), json: Array((json ?? "{\"id\":\(id)}").utf8),
            fetchedAt: Timestamp(milliseconds: at))
    }

    static func pageKey(_ number: Int, of resource: ResourceKey = character) -> PageKey {
        PageKey(resource: resource, request: "{\"page\":\(number)}")
    }

    static func page(
        _ number: Int, _ ids: [String], of resource: ResourceKey = character, isPartial: Bool = false, at: Int64 = 1000
    ) -> PageEntity {
        PageEntity(
            key: pageKey(number, of: resource), ids: ids, isPartial: isPartial,
            info: Array("{\"current\":\(number)}".utf8), fetchedAt: Timestamp(milliseconds: at))
    }

    static func change(_ items: ItemEntity...) -> LocalChange { LocalChange(items: items) }
}

extension PackedItems: ExpressibleByArrayLiteral {
    /// Creates a list of packed items from an array literal.
    public init(arrayLiteral items: ItemEntity...) { self.init(items) }
}
