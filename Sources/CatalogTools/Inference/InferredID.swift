import JSON
import Model

/// Finds the id of the items in an answer. Every item must have an id, and no two items may have the same id.
struct InferredID {
    private static let names = [
        "id", "uuid", "guid", "_id", "key", "slug", "number", "sha", "login", "username", "code", "identifier", "name",
        "title",
    ]
    private static let links = ["url", "self", "href"]
    private static let metadata = ["metadata", "sys", "meta"]

    let items: InferredItems

    func find() -> ResourceDraft.ID {
        if items.areIDs {
            let areNumbers = items.views.allSatisfy { $0.integer != nil }
            return ResourceDraft.ID(type: areNumbers ? "integer" : "string")
        }
        if !items.keys.isEmpty {
            return ResourceDraft.ID(
                type: "string", from: ["@key"], note: "the items are in a map: the keys of the map are the ids")
        }
        guard let first = items.views.first, first.kind == .object else {
            return ResourceDraft.ID(
                type: "string", note: "the id is a guess, because the answer contains no item; check it")
        }
        if let id = asItsLinkHasIt(first) { return id }
        for name in Self.names {
            let key = first.members.first { DraftNames.normalized($0.key.string ?? "") == DraftNames.normalized(name) }?
                .key
                .string
            guard let key, let type = type(at: [key]) else { continue }
            let note = key == "id" ? nil : "chosen as the id, because its value is different for each item"
            return ResourceDraft.ID(type: type, from: [key], note: note)
        }
        if let id = fromLink(first) { return id }
        for member in first.members where member.value.kind == .object {
            for name in ["id", "uid", "name"] {
                let path = [member.key.string ?? "", name]
                guard Self.metadata.contains(path[0]), let type = type(at: path) else { continue }
                return ResourceDraft.ID(
                    type: type, from: path, note: "chosen as the id, because its value is different for each item")
            }
        }
        for member in first.members {
            let key = member.key.string ?? ""
            guard DraftNames.normalized(key).hasSuffix("id"), let type = type(at: [key]) else { continue }
            return ResourceDraft.ID(
                type: type, from: [key],
                note: "a guess: chosen as the id, because its value is different for each item; check it")
        }
        if let key = wrapper, let type = type(at: [key, "id"]) {
            return ResourceDraft.ID(
                type: type, from: [key, "id"],
                note: "chosen as the id, because no member of the item itself is unique")
        }
        // A page with two equal ids would be invalid.
        guard Set(items.views.map { JSONValue($0).text }).count == items.views.count else {
            return ResourceDraft.ID(
                type: "string",
                note: "the id is a guess: some items are identical, so no field is unique; check it")
        }
        return ResourceDraft.ID(
            type: "string", from: [], note: "no field is unique: the id is a hash of the whole item")
    }

    /// The key under which each item contains an object with a unique `id`. Nil if there is no such key, or more than
    /// one.
    var wrapper: String? {
        guard !items.areIDs, items.keys.isEmpty else { return nil }
        let keys = items.views.first?.members.compactMap { $0.value.kind == .object ? $0.key.string : nil } ?? []
        let found = keys.filter { !Self.metadata.contains($0) && type(at: [$0, "id"]) != nil }
        return found.count == 1 ? found[0] : nil
    }

    /// Returns the type of the values at a path if the values can be ids. Returns nil if an item has no value at this
    /// path, or if two items have the same value.
    func type(at path: [String]) -> String? {
        guard path.allSatisfy(InferredItems.isStep), let selector = JSONSelector(steps: path) else { return nil }
        var seen: Set<String> = []
        var areNumbers = true
        for view in items.views {
            guard let value = selector.select(in: view) else { return nil }
            if value.integer == nil { areNumbers = false }
            guard value.integer != nil || value.string?.isEmpty == false,
                seen.insert(JSONValue(value).plainText).inserted
            else { return nil }
        }
        return areNumbers ? "integer" : "string"
    }

    /// Returns an id declaration that selects a field whose value is also the last segment of the item's own URL. The
    /// API probably identifies its items by this value. Returns nil if there is no such field.
    private func asItsLinkHasIt(_ first: JSONView) -> ResourceDraft.ID? {
        for link in Self.links where first[link]?.string != nil {
            let ends = items.views.map {
                $0[link]?.string?.split(separator: "/").last.map { PercentEncoding.decode(String($0)) }
            }
            for name in Self.names where first[name] != nil {
                let values = items.views.map { $0[name].map { JSONValue($0).plainText } }
                guard zip(ends, values).allSatisfy({ $0 != nil && $0 == $1 }), let type = type(at: [name]) else {
                    continue
                }
                let note = name == "id" ? nil : "the last part of each item's '\(link)'"
                return ResourceDraft.ID(type: type, from: [name], note: note)
            }
        }
        return nil
    }

    /// Returns an id that consists of the last segment of each item's own URL.
    private func fromLink(_ first: JSONView) -> ResourceDraft.ID? {
        for name in Self.links {
            let texts = items.views.compactMap { $0[name]?.string }
            guard texts.count == items.views.count, texts.allSatisfy({ $0.contains("/") }) else { continue }
            let hasSlash = texts.allSatisfy { $0.hasSuffix("/") }
            let ids = texts.compactMap { $0.split(separator: "/").last.map(String.init) }
            guard ids.count == texts.count, Set(ids).count == ids.count,
                !ids.contains(where: { $0.contains("?") || $0.isEmpty }),
                hasSlash || !texts.contains(where: { $0.hasSuffix("/") })
            else { continue }
            return ResourceDraft.ID(
                type: ids.allSatisfy { Int($0).map(String.init) == $0 } ? "integer" : "string", from: [name],
                match: hasSlash ? "*/{id}/" : "*/{id}", note: "extracted from each item's '\(name)'")
        }
        return nil
    }

    /// Derives the path for `get` from the items' own URLs. Returns nil if an item has no such URL, or if a URL does
    /// not end with the item's id. The URLs can have another host than the request, for example if the request went to
    /// a mirror of the API.
    func path(of id: ResourceDraft.ID, at url: InferredURL) -> (path: String, why: String)? {
        guard items.keys.isEmpty, !items.views.isEmpty, id.from.count == 1 else { return nil }
        for name in Self.links {
            var found: Set<String> = []
            for view in items.views {
                guard let link = view[name]?.string, let value = view[id.from[0]].map({ JSONValue($0).plainText })
                else {
                    return nil
                }
                let path = url.path(of: link)
                guard path.hasPrefix("/"), !path.hasPrefix("//"), !path.contains("?"), !path.contains("{") else {
                    found = []
                    break
                }
                var steps = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
                let last = steps.last == "" ? steps.count - 2 : steps.count - 1
                guard last > 0, id.match != nil || steps[last] == PercentEncoding.encode(value) || steps[last] == value
                else {
                    found = []
                    break
                }
                steps[last] = "{id}"
                found.insert(steps.joined(separator: "/"))
            }
            if found.count == 1, let path = found.first { return (path, "from each item's '\(name)'") }
        }
        return nil
    }
}
