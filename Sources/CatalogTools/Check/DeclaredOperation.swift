import JSON

/// An operation of a resource, read from the text of a catalog.
struct DeclaredOperation {
    enum Kind: String, CaseIterable {
        case get, getMany, list, sync
    }

    let kind: Kind
    /// The operation's key in the catalog. Messages about the operation contain the location of this key.
    let key: JSONView
    private let view: JSONView
    /// For a `sync` operation: the declaration of `list`, whose keys `sync` inherits. Nil for other operations.
    private let list: JSONView?
    /// For a `list` operation: the `sync` that sends the same GraphQL operation. Nil if there is no such `sync`, and
    /// for other operations.
    private let sharingSync: JSONView?

    /// Returns the operations that a resource declares.
    ///
    /// - Parameter operations: the value of the resource's key `rest` or `graphql`.
    static func all(in operations: JSONView) -> [DeclaredOperation] {
        let list = operations["list"]
        let sync = operations["sync"].flatMap { $0.kind == .object ? $0 : nil }
        return Kind.allCases.compactMap { kind in
            var declared: (key: JSONView, value: JSONView)?
            for member in operations.members where member.key.isString(kind.rawValue) { declared = member }
            guard let member = declared, member.value.kind == .object, kind != .sync || list?.kind == .object else {
                return nil
            }
            return DeclaredOperation(
                kind: kind, key: member.key, view: member.value, list: kind == .sync ? list : nil,
                sharingSync: kind == .list ? sync.flatMap { ownsDocument($0) ? nil : $0 } : nil)
        }
    }

    /// Returns the value of a catalog key of this operation; nil if the key is missing. A `sync` inherits the keys of
    /// `list`, except for `filters`.
    subscript(key: String) -> JSONView? { own(key) ?? (key == "filters" ? nil : list?[key]) }

    /// Returns the value of a key that the operation itself declares.
    func own(_ key: String) -> JSONView? { view[key] }

    /// Returns the values of a catalog key that apply to the operation, usually at most one. For `query` and `headers`
    /// in `sync`, returns the values in both `sync` and `list`, because `sync` merges them.
    func merged(_ key: String) -> [JSONView] {
        guard ["query", "headers"].contains(key) else { return self[key].map { [$0] } ?? [] }
        return [view[key], list?[key]].compactMap { $0 }
    }

    var filters: [ListedFilter] { ListedFilter.all(of: list ?? view) }

    /// Returns the element of the array `filters` in `sync` that names the given filter. Nil if no element names it.
    func name(of filter: ListedFilter) -> JSONView? { own("filters")?.elements.first { $0.isString(filter.name) } }

    /// The GraphQL variable that is sent only in requests for changes: the value of `param` in `sync`. Nil if `sync`
    /// has no `param`, or if this operation and `sync` send different GraphQL operations.
    var changeParameter: JSONView? { kind == .sync ? view["param"] : sharingSync?["param"] }

    /// Whether the declaration contains its own GraphQL operation. False only for a `sync` that sends the GraphQL
    /// operation of `list`.
    var ownsDocument: Bool { kind != .sync || Self.ownsDocument(view) }

    private static func ownsDocument(_ sync: JSONView) -> Bool {
        sync["query"] != nil || sync["operationName"] != nil
    }
}
