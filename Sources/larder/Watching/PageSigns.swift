import HTTP
import JSON
import Model

/// What in an answer speaks of further pages, where a catalog declares none.
enum PageSigns {
    /// Further down it is of items rather than of the list.
    private static let maxDepth = 4

    /// By their names in small letters and without `_`, `-`, `.`, `@` and `$`.
    private static let known: [String: String] = [
        "next": "cursor or URL of a next page", "nextpage": "a next page", "nexturl": "the URL of a next page",
        "nextlink": "the URL of a next page", "odatanextlink": "the URL of a next page",
        "nextcursor": "the cursor of a next page", "cursor": "a cursor", "endcursor": "the cursor of a next page",
        "nextpagetoken": "the cursor of a next page", "nexttoken": "the cursor of a next page",
        "continue": "the cursor of a next page", "hasmore": "more", "hasnext": "more", "hasnextpage": "more",
        "more": "more", "totalpages": "how many pages there are", "pages": "how many pages there are",
        "pagecount": "how many pages there are", "lastpage": "how many pages there are",
    ]

    /// The signs in words, with keys of the answer as they are.
    static func find(in response: HTTPResponse) -> [String] {
        var signs: [String] = []
        let links = response.headers.filter { $0.isNamed("Link") }.flatMap { WebLink.read($0.value) }
        if links.contains(where: { $0.relations.contains("next") && $0["results"] != "false" }) {
            signs.append("the header field 'Link' leads to a next page: \"style\": \"link\"")
        }
        guard response.body.count <= 1 << 22, let document = try? response.json() else { return signs }
        document.withRoot { root in look(at: root, "", depth: 0, &signs) }
        return signs
    }

    private static func look(at view: JSONView, _ path: String, depth: Int, _ signs: inout [String]) {
        guard depth < maxDepth else { return }
        for member in view.members {
            guard let name = member.key.string else { continue }
            let place = path.isEmpty ? name : "\(path).\(name)"
            let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
            if let meaning = known[plain], says(member.value) {
                signs.append("'\(place)' seems to say \(meaning)")
            } else {
                look(at: member.value, place, depth: depth + 1, &signs)
            }
        }
    }

    /// Whether the value speaks of a further page: a text, a number over 1, or true.
    private static func says(_ view: JSONView) -> Bool {
        switch view.kind {
        case .string: view.string?.isEmpty == false
        case .number: view.integer ?? 0 > 1
        case .true: true
        case .object: view.members.contains { _ in true }
        default: false
        }
    }
}
