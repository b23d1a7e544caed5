import JSON

/// A change between two states of a watched item or list: an added, changed or removed item.
struct ItemChange: Equatable {
    enum Kind: String {
        case added, changed, removed
    }

    /// A field whose value differs between the old state and the new state of the item.
    struct Field: Equatable {
        /// The name of the field. Names of nested fields are joined with dots, as in `origin.name`.
        let name: String
        /// The value in the old state; nil if the old state has no such field.
        let old: JSONValue?
        /// The value in the new state; nil if the new state has no such field.
        let new: JSONValue?
    }

    let kind: Kind
    /// The new state of the item; for a removed item, the last known state.
    let item: JSONValue
    /// The fields that differ; empty for an added or removed item.
    let fields: [Field]

    /// The maximum depth of objects whose members are compared one by one.
    private static let maxDepth = 8

    /// Returns the differences between two states of a list: removed items first, then added and changed items in the
    /// order of the new state. A different order of the same items is not a difference.
    static func between(_ old: [JSONValue], _ new: [JSONValue]) -> [ItemChange] {
        let before = Dictionary(old.map { (key($0), $0) }) { first, _ in first }
        let after = Set(new.map { key($0) })
        let removed = old.filter { !after.contains(key($0)) }.map { ItemChange(kind: .removed, item: $0, fields: []) }
        return removed
            + new.compactMap { item in
                guard let former = before[key(item)] else { return ItemChange(kind: .added, item: item, fields: []) }
                let fields = fields(former, item, [])
                return fields.isEmpty ? nil : ItemChange(kind: .changed, item: item, fields: fields)
            }
    }

    /// Returns the differences between two states of one item.
    static func between(_ old: JSONValue?, _ new: JSONValue?) -> [ItemChange] {
        switch (old, new) {
        case (nil, nil): return []
        case (let old?, nil): return [ItemChange(kind: .removed, item: old, fields: [])]
        case (nil, let new?): return [ItemChange(kind: .added, item: new, fields: [])]
        case (let old?, let new?):
            let fields = fields(old, new, [])
            return fields.isEmpty ? [] : [ItemChange(kind: .changed, item: new, fields: fields)]
        }
    }

    /// Returns a text that identifies an item: its id, or the whole item if it has no id.
    private static func key(_ item: JSONValue) -> String { (item["id"] ?? item).text }

    private static func fields(_ old: JSONValue?, _ new: JSONValue?, _ path: [String]) -> [Field] {
        if old == new { return [] }
        guard case .object(let before)? = old, case .object(let after)? = new, path.count < maxDepth else {
            return [Field(name: path.isEmpty ? "item" : path.joined(separator: "."), old: old, new: new)]
        }
        let names = after.members.map(\.key) + before.members.map(\.key).filter { after[$0] == nil }
        return names.flatMap { fields(before[$0], after[$0], path + [$0]) }
    }
}
