import JSON
import Model
import System

/// Combines the draft of a list with the API's answer for one item of the list.
struct InferredPair {
    let items: InferredItems
    let list: ResourceDraft
    let listURL: InferredURL
    let itemURL: InferredURL

    /// Returns a resource with the operations `list` and `get`.
    ///
    /// - Throws: `CatalogDraftError` if the answer is not an item of the list.
    func draft(_ root: JSONView) throws(CatalogDraftError) -> ResourceDraft {
        guard let (view, path) = Self.item(in: root, like: items) else {
            throw CatalogDraftError(
                "the second answer must contain an item of the list, but no object in it has a member of the list's"
                    + " items; use another URL"
            )
        }
        var draft = list
        if let id = requested(view) { draft.id = id }
        draft.get = getLines(draft.id, view, path)
        draft.comments.append("GET \(itemURL.path): one item")
        draft.remarks.removeAll()
        let (fields, isComplete) = fields(view)
        draft.fields = fields
        if !isComplete {
            draft.list?.append(.flag("complete", false, note: "the items of the list lack some of the fields"))
        }
        return draft
    }

    /// Returns the object in an answer that has the most member names in common with the list's items.
    static func item(in root: JSONView, like items: InferredItems) -> (view: JSONView, path: [String])? {
        var candidates: [(view: JSONView, path: [String])] = [(root, [])]
        for member in root.members {
            guard let key = member.key.string, InferredItems.isStep(key) else { continue }
            if member.value.kind == .object { candidates.append((member.value, [key])) }
            if member.value.kind == .array, let first = member.value.elements.first(where: { $0.kind == .object }) {
                candidates.append((first, [key, "0"]))
            }
        }
        let known = Set((items.views.first?.members.map { $0.key.string ?? "" }) ?? [])
        func count(_ view: JSONView) -> Int { view.members.count { known.contains($0.key.string ?? "") } }
        let best = candidates.max { count($0.view) < count($1.view) }
        return best.flatMap { count($0.view) > 0 ? $0 : nil }
    }

    /// Returns the field to use as the id instead of `list.id`, if the URL of the item does not contain `list.id`. This
    /// is the item's first field with a value that the URL contains; nil if there is none.
    private func requested(_ view: JSONView) -> ResourceDraft.ID? {
        if place(of: list.id, view) != nil { return nil }
        let finder = InferredID(items: items)
        for member in view.members {
            guard let name = member.key.string, InferredItems.isStep(name), let type = finder.type(at: [name]) else {
                continue
            }
            let id = ResourceDraft.ID(type: type, from: [name], note: "from the URL of the item")
            if place(of: id, view) != nil { return id }
        }
        return nil
    }

    /// Returns the position of the item's id among the path segments of the item's URL. Nil if the path does not
    /// contain the id.
    private func place(of id: ResourceDraft.ID, _ view: JSONView) -> Int? {
        guard id.match == nil, let selector = JSONSelector(steps: id.from), !id.from.isEmpty,
            let value = selector.select(in: view), value.kind == .string || value.kind == .number
        else { return nil }
        let text = JSONValue(value).plainText
        return segments.lastIndex { PercentEncoding.decode($0) == text || $0 == "\(text).json" }
    }

    private var segments: [String] {
        itemURL.declaredPath.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    private func getLines(_ id: ResourceDraft.ID, _ view: JSONView, _ path: [String]) -> [DraftLine] {
        var lines: [DraftLine] = []
        var segments = segments
        if let place = place(of: id, view) {
            let name = id.from.joined(separator: ".")
            let note = "'\(segments[place])' is the item's '\(name)'"
            segments[place] = segments[place].hasSuffix(".json") ? "{id}.json" : "{id}"
            lines.append(.text("path", segments.joined(separator: "/"), note: note))
        } else if itemURL.isOpen {
            let below = listURL.declaredPath.hasSuffix("/") ? "{id}/" : "/{id}"
            lines.append(.text("path", listURL.declaredPath + below, note: "a guess: the path of the item is unknown"))
        } else {
            lines.append(.text("path", itemURL.declaredPath, note: "the place of the id is unknown: write {id} there"))
        }
        let query = CatalogInference.constants(itemURL, besides: [])
        if !query.isEmpty { lines.append(.member("query", .object(query), note: "from the URL")) }
        if !path.isEmpty { lines.append(.member("item", .selector(path))) }
        return lines
    }

    /// Returns all fields that occur in the requested item or in the list's items. Also returns whether the list's
    /// items contain all of these fields.
    private func fields(_ view: JSONView) -> (fields: [DraftField], isComplete: Bool) {
        let types = InferredTypes()
        let own = Dictionary(types.type(of: [view]).fields.map { ($0.name, $0) }) { first, _ in first }
        let listed = Set(items.views.flatMap { $0.members.map { $0.key.string ?? "" } })
        let all = types.type(of: items.views + [view]).fields
        let fields = all.map { field in listed.contains(field.name) ? field : own[field.name] ?? field }
        return (fields, all.allSatisfy { listed.contains($0.name) })
    }
}
