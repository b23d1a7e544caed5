import JSON
import System

/// Items in little room, in their order: their texts lie in one buffer, and what most of them have in common is noted
/// once. An item is made when it is asked for.
public struct PackedItems: RandomAccessCollection, Equatable, Sendable {
    /// What an item has besides its id and its text.
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

        /// Whether they are those of an item: nothing is copied to see that.
        func areThose(of item: ItemEntity) -> Bool {
            fetchedAt == item.fetchedAt && isPartial == item.key.isPartial && isInvalidated == item.isInvalidated
                && resource == item.key.resource && validators == item.validators
        }
    }

    /// For how many bytes room is made before they are there, at most.
    private static let guess = 1 << 20

    /// Their texts.
    public private(set) var texts: JSONTexts
    private var ids: [String]
    /// Those of the first item; nil where there is none.
    private var common: Traits?
    /// Those of items that have others.
    private var others: [Int: Traits] = [:]

    /// These items.
    public init(_ items: some Sequence<ItemEntity>) {
        (texts, ids) = (JSONTexts(), [])
        for item in items {
            ids.append(item.key.id)
            add(item)
        }
    }

    /// Items that came together.
    ///
    /// - Parameters:
    ///   - texts: the items, each one compact JSON object.
    ///   - ids: their ids, as many.
    public init(texts: JSONTexts, ids: [String], of resource: ResourceKey, isPartial: Bool, fetchedAt: Timestamp) {
        self.texts = texts
        self.ids = ids
        guard !ids.isEmpty else { return }
        common = Traits(
            resource: resource, isPartial: isPartial, fetchedAt: fetchedAt, isInvalidated: false, validators: nil)
    }

    /// The items of a page; nil if one of them is missing.
    ///
    /// Inlinable, because an unspecialized generic costs a page hit in memory half of its instructions.
    ///
    /// - Parameter item: returns the stored item of a key.
    @inlinable package init?<Failure: Error>(
        of page: PageEntity, _ item: (ItemKey) throws(Failure) -> ItemEntity?
    ) throws(Failure) {
        self.init(room: page)
        for index in page.ids.indices {
            guard let item = try item(page.itemKey(index)) else { return nil }
            addItem(item)
        }
    }

    /// No items yet, but the ids of all items of a page.
    @usableFromInline package init(room page: PageEntity) { (texts, ids) = (JSONTexts(), page.ids) }

    /// Adds the next item of the page.
    @usableFromInline package mutating func addItem(_ item: ItemEntity) {
        // The first item is the best guess of the size of the others, within reason.
        if texts.count == 1 {
            texts.reserve(ids.count, size: Swift.min(texts.size, Self.guess / ids.count) * ids.count)
        }
        add(item)
    }

    private mutating func add(_ item: ItemEntity) {
        switch common?.areThose(of: item) {
        case true?: break
        case false?: others[texts.count] = Traits(of: item)
        case nil: common = Traits(of: item)
        }
        texts.append(item.json)
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many they are.
    public var endIndex: Int { texts.count }

    public subscript(index: Int) -> ItemEntity {
        let traits = traits(of: index)
        return ItemEntity(
            key: key(index, traits), json: texts[index], fetchedAt: traits.fetchedAt,
            isInvalidated: traits.isInvalidated, validators: traits.validators)
    }

    /// The key of an item.
    public func key(at index: Int) -> ItemKey { key(index, traits(of: index)) }

    /// Their keys.
    public var keys: some Sequence<ItemKey> { indices.lazy.map { key(at: $0) } }

    /// Whether any of them is marked stale.
    public var areInvalidated: Bool {
        others.contains { $0.value.isInvalidated } || (common?.isInvalidated ?? false && others.count < count)
    }

    /// Whether all of them came from the remote at one moment.
    public func allCame(at moment: Timestamp) -> Bool {
        others.allSatisfy { $0.value.fetchedAt == moment } && (common?.fetchedAt ?? moment) == moment
    }

    /// The same, as good as new; what they can be asked with stays.
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

    /// Where there is an item there are the first one's.
    private static let none = Traits(
        resource: ResourceKey(name: "", fingerprint: .init(high: 0, low: 0)), isPartial: false,
        fetchedAt: Timestamp(milliseconds: 0), isInvalidated: false, validators: nil)
}
