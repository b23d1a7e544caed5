import Catalog
import JSON
import Model

/// A guess at the URL of a list's first item: the URL of the list, followed by the item's id.
struct ItemGuess {
    /// The guessed URL of the item. From the list's URL, it keeps only the query parameters that contain secrets.
    let address: String
    let id: String

    /// Guesses the URL of the first item from the answer to a list request. Returns nil if no field of the items
    /// contains the id. Also returns nil if the items contain their own URLs, because no guess is then needed.
    ///
    /// - Parameter listAddress: the URL of the list.
    init?(list: InferredAnswer, at listAddress: String) {
        guard let document = try? list.document() else { return nil }
        let id = document.withRoot { root -> String? in
            guard let items = InferredItems(in: root, of: list.url), !items.areIDs, let first = items.views.first
            else { return nil }
            let finder = InferredID(items: items)
            let id = finder.find()
            guard id.match == nil, finder.type(at: id.from) != nil, finder.path(of: id, at: list.url) == nil
            else { return nil }
            return JSONSelector(steps: id.from)?.select(in: first).map { JSONValue($0).plainText }
        }
        guard let id, !DotSegments.areFound(in: id) else { return nil }
        self.id = id
        let end = listAddress.firstIndex { "?#".contains($0) } ?? listAddress.endIndex
        let base = listAddress[..<end]
        let suffix = ["/", ".json"].first { base.hasSuffix($0) } ?? ""
        let query = listAddress[end...].prefix { $0 != "#" }.dropFirst().split(separator: "&").filter { pair in
            InferredURL.isSecret(PercentEncoding.decode(String(pair.prefix { $0 != "=" })))
        }
        address =
            "\(base.dropLast(suffix.count))/\(PercentEncoding.encode(id))\(suffix)"
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// Whether an answer contains the item whose URL was guessed.
    func isItem(_ answer: InferredAnswer, of list: InferredAnswer) -> Bool {
        guard let document = try? list.document(), let item = try? answer.document() else { return false }
        return document.withRoot { root in
            guard let items = InferredItems(in: root, of: list.url) else { return false }
            let from = InferredID(items: items).find().from
            return item.withRoot { root in
                // An element of an array could be an item of the same list.
                guard let (view, path) = InferredPair.item(in: root, like: items), path.last != "0",
                    let id = JSONSelector(steps: from)?.select(in: view)
                else { return false }
                return JSONValue(id).plainText == self.id
            }
        }
    }
}
