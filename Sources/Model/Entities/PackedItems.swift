import JSON
import System

/// A compact, ordered collection of cached items. It stores the JSON texts of all items in one buffer, and common
/// properties such as the fetch time only once.
public struct PackedItems: RandomAccessCollection, Equatable, Sendable {
    /// The properties of an item, except its id and its JSON text.
    private struct Traits: Equatable {
        let resource: ResourceKey
        let isPartial: Bool
        let fetchedAt: Timestamp
        let isInvalidated: Bool
        let validators: Validators?

        init(
            resource: ResourceKey, isPartial: Bool, fetchedAt: Timestamp, isInvalidated: Bool, validators: Validators?
        ) {
            self.resource = resource
            self.isPartial = isPartial
            self.fetchedAt = fetchedAt
            self.isInvalidated = isInvalidated
            self.validators = validators
        }

        init(of item: ItemEntity) {
            self.init(
                resource: item.key.resource, isPartial: item.key.isPartial, fetchedAt: item.fetchedAt,
                isInvalidated: item.isInvalidated, validators: item.validators)
        }

        /// Whether an item has exactly these properties.
        func match(_ item: ItemEntity) -> Bool {
            fetchedAt == item.fetchedAt && isPartial == item.key.isPartial && isInvalidated == item.isInvalidated
                && resource == item.key.resource && validators == item.validators
        }
    }

    /// The maximum number of bytes to reserve in advance for the JSON texts.
    private static let maxReserve = 1 << 20

    /// The JSON texts of the items.
    public private(set) var texts: JSONTexts
    private var ids: [String]
    /// The properties of the first item; nil if the collection is empty.
    private var common: Traits?
    /// The properties of items, if they differ from those of the first item. The dictionary key is the item's index.
    private var others: [Int: Traits] = [:]

    /// Creates a collection from items.
    public init(_ items: some Sequence<ItemEntity>) {
        (texts, ids) = (JSONTexts(), [])
        for item in items {
            ids.append(item.key.id)
            add(item)
        }
    }

    /// Creates a collection of items from one answer.
    ///
    /// - Parameters:
    ///   - texts: the items, each a compact JSON object.
    ///   - ids: the ids of the items, in the same order.
    public init(texts: JSONTexts, ids: [String], of resource: ResourceKey, isPartial: Bool, fetchedAt: Timestamp) {
        self.texts = texts
        self.ids = ids
        guard !ids.isEmpty else { return }
        common = Traits(
            resource: resource, isPartial: isPartial, fetchedAt: fetchedAt, isInvalidated: false, validators: nil)
    }

    /// Creates a collection of the items that a page lists. Returns nil if an item is not stored.
    ///
    /// - Parameter item: returns the stored item for a key.
    @inlinable package init?<Failure: Error>(
        of page: PageEntity, _ item: (ItemKey) throws(Failure) -> ItemEntity?
    ) throws(Failure) {
        // Inlinable, because an unspecialized generic call would double the instructions for a page from memory.
        self.init(room: page)
        for index in page.ids.indices {
            guard let item = try item(page.itemKey(index)) else { return nil }
            addItem(item)
        }
    }

    /// Creates a collection with the ids of a page's items, but without their JSON texts. `addItem` adds the items in
    /// order.
    @usableFromInline package init(room page: PageEntity) { (texts, ids) = (JSONTexts(), page.ids) }

    /// Adds the next item, in the order of the page.
    @usableFromInline package mutating func addItem(_ item: ItemEntity) {
        // The size of the first item predicts the sizes of the remaining items. The limit prevents an excessive
        // reservation if the first item is very large.
        if texts.count == 1 {
            texts.reserve(ids.count, size: Swift.min(texts.size, Self.maxReserve / ids.count) * ids.count)
        }
        add(item)
    }

    private mutating func add(_ item: ItemEntity) {
        switch common?.match(item) {
        case true?: break
        case false?: others[texts.count] = Traits(of: item)
        case nil: common = Traits(of: item)
        }
        texts.append(item.json)
    }

    public var startIndex: Int { 0 }
    /// The number of items.
    public var endIndex: Int { texts.count }

    public subscript(index: Int) -> ItemEntity {
        let traits = traits(of: index)
        return ItemEntity(
            key: key(index, traits), json: texts[index], fetchedAt: traits.fetchedAt,
            isInvalidated: traits.isInvalidated, validators: traits.validators)
    }

    /// Returns the key of the item at an index.
    public func key(at index: Int) -> ItemKey { key(index, traits(of: index)) }

    /// The keys of the items.
    public var keys: Keys { Keys(items: self) }

    /// A collection of the items' keys, in the order of the items.
    public struct Keys: RandomAccessCollection, Sendable {
        let items: PackedItems

        public var startIndex: Int { 0 }
        public var endIndex: Int { items.endIndex }

        public subscript(index: Int) -> ItemKey { items.key(at: index) }
    }

    /// Whether any item is invalidated.
    public var areInvalidated: Bool {
        others.contains { $0.value.isInvalidated } || common?.isInvalidated == true
    }

    /// Whether all items were fetched at the given time.
    public func areAllFetched(at moment: Timestamp) -> Bool {
        others.allSatisfy { $0.value.fetchedAt == moment } && (common?.fetchedAt ?? moment) == moment
    }

    /// Returns a copy in which all items have the given fetch time and are not invalidated. Used when the API confirms
    /// that the items are unchanged.
    public func confirmed(at moment: Timestamp) -> PackedItems {
        func confirmed(_ traits: Traits) -> Traits {
            Traits(
                resource: traits.resource, isPartial: traits.isPartial, fetchedAt: moment, isInvalidated: false,
                validators: traits.validators)
        }
        var items = self
        items.common = common.map(confirmed)
        items.others = others.mapValues(confirmed)
        return items
    }

    private func traits(of index: Int) -> Traits {
        if !others.isEmpty, let traits = others[index] { return traits }
        return common ?? Self.none
    }

    private func key(_ index: Int, _ traits: Traits) -> ItemKey {
        ItemKey(resource: traits.resource, id: ids[index], isPartial: traits.isPartial)
    }

    /// The placeholder for `common` in an empty collection. It is never visible, because an empty collection returns no
    /// items.
    private static let none = Traits(
        resource: ResourceKey(name: "", fingerprint: .init(high: 0, low: 0)), isPartial: false,
        fetchedAt: Timestamp(milliseconds: 0), isInvalidated: false, validators: nil)
}
