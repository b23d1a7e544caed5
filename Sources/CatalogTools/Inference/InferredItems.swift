import JSON

/// The items in an answer. If the answer is an array, the items are its elements. Otherwise, the items are the elements
/// of an array inside the answer, or the values of a map.
struct InferredItems {
    private static let names = [
        "data", "items", "results", "value", "values", "records", "entries", "entry", "list", "rows", "objects",
        "content", "elements", "resources", "nodes", "hits", "docs",
    ]
    private static let maxDepth = 4
    private static let maxItems = 1_000

    /// The path of the items in the answer, one key per element.
    var path: [String] = []
    var views: [JSONView] = []
    /// The keys of the items if the items are the values of a map; otherwise empty.
    var keys: [String] = []
    /// Whether the items are ids (strings or integers) instead of objects.
    var areIDs = false
    var note: String?

    init() {}

    /// Whether a key can be part of a path. False for the empty key. Also false for `@key`, because a catalog uses
    /// `@key` for the keys of items.
    static func isStep(_ key: String) -> Bool { !key.isEmpty && key != "@key" }

    /// Finds the items in an answer. Nil if the answer is a single item or contains no items.
    init?(in root: JSONView, of url: InferredURL) {
        if root.kind == .array {
            take(root)
            return
        }
        guard root.kind == .object, !Self.isItem(root, of: url) else { return nil }
        var arrays: [(path: [String], view: JSONView)] = []
        Self.collect(root, [], &arrays)
        let full = arrays.filter { array in array.view.elements.contains { $0.kind == .object } }
        let candidates =
            full.isEmpty ? arrays.filter { Self.names.contains(DraftNames.normalized($0.path.last ?? "")) } : full
        let wanted = (url.words.first.map { [DraftNames.normalized($0)] } ?? []) + Self.names
        if let only = candidates.first, candidates.count == 1 {
            path = only.path
            take(only.view)
        } else if let found = wanted.lazy.compactMap({ name in
            candidates.first { DraftNames.normalized($0.path.last ?? "") == name }
        }).first {
            (path, note) = (found.path, "a guess based on the name: there are \(candidates.count) arrays")
            take(found.view)
        } else if let found = candidates.max(by: {
            $0.view.elements.count(where: { _ in true }) < $1.view.elements.count(where: { _ in true })
        }) {
            (path, note) = (found.path, "a guess: the longest of \(candidates.count) arrays")
            take(found.view)
        } else if let map = Self.map(in: root, []) {
            path = map.path + ["*"]
            note = "a map: its values are the items"
            for member in map.view.members.map({ $0 }).prefix(Self.maxItems) {
                views.append(member.value)
                keys.append(member.key.string ?? "")
            }
        } else {
            return nil
        }
    }

    private mutating func take(_ array: JSONView) {
        views = Array(array.elements.map { $0 }.prefix(Self.maxItems))
        areIDs = !views.isEmpty && views.allSatisfy { $0.kind == .string || $0.integer != nil }
        unwrap()
    }

    /// Replaces each element with an object inside it, if this object contains the id and has more members than the
    /// element. An example is `resource` in `"entry": [{"fullUrl": "...", "resource": {"id": "a", ...}}]`.
    private mutating func unwrap() {
        let finder = InferredID(items: self)
        guard let outer = views.first, let key = finder.wrapper, finder.find().from == [key, "id"],
            let inner = outer[key], inner.members.map({ $0 }).count > outer.members.map({ $0 }).count
        else { return }
        path += ["*", key]
        views = views.compactMap { $0[key] }
        note = (note.map { "\($0); " } ?? "") + "the members beside '\(key)' are left out"
    }

    /// Returns the answer's only member and its path, if this member is an object. Otherwise returns the whole answer.
    static func wrapped(_ root: JSONView) -> (view: JSONView, path: [String]) {
        let members = root.members.map { $0 }
        guard members.count == 1, let only = members.first, only.value.kind == .object, let key = only.key.string,
            isStep(key)
        else { return (root, []) }
        return (only.value, [key])
    }

    /// Whether the answer is a single item. True if a value in the answer equals the last segment of the URL's path.
    private static func isItem(_ root: JSONView, of url: InferredURL) -> Bool {
        guard let last = url.words.first else { return false }
        let name = last.hasSuffix(".json") ? String(last.dropLast(5)) : last
        return root.members.contains { member in
            let value = member.value
            return (value.kind == .string || value.kind == .number) && JSONValue(value).plainText == name
        }
    }

    private static func collect(_ view: JSONView, _ path: [String], _ found: inout [(path: [String], view: JSONView)]) {
        guard path.count < maxDepth else { return }
        for member in view.members where isStep(member.key.string ?? "") {
            let place = path + [member.key.string ?? ""]
            switch member.value.kind {
            case .array: found.append((place, member.value))
            case .object: collect(member.value, place, &found)
            default: break
            }
        }
    }

    /// Finds an object that is a map of items. The map must have at least two values. All values must be objects, with
    /// mostly the same keys.
    private static func map(in root: JSONView, _ path: [String]) -> (path: [String], view: JSONView)? {
        let members = root.members.map { $0 }
        if members.count == 1, path.count < maxDepth - 1, let only = members.first, only.value.kind == .object,
            isStep(only.key.string ?? "")
        {
            return map(in: only.value, path + [only.key.string ?? ""])
        }
        guard members.count >= 2, members.allSatisfy({ $0.value.kind == .object }) else { return nil }
        let shapes = members.map { Set($0.value.members.map { $0.key.string ?? "" }) }
        let common = shapes.dropFirst().reduce(shapes[0]) { $0.intersection($1) }
        let all = shapes.reduce(Set<String>()) { $0.union($1) }
        return !common.isEmpty && common.count * 2 >= all.count ? (path, root) : nil
    }
}
