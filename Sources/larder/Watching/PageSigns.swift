import HTTP
import JSON
import Model

/// Finds members of a response that suggest that the list has further pages.
enum PageSigns {
    /// The maximum depth at which members are examined. Deeper members usually belong to items, not to the list.
    private static let maxDepth = 4

    /// The response members that suggest further pages, with their meanings. The keys are member names in lowercase,
    /// without `_`, `-`, `.`, `@` and `$`.
    private static let known: [String: String] = [
        "next": "the cursor or URL of the next page", "nextpage": "the next page",
        "nexturl": "the URL of the next page",
        "nextlink": "the URL of the next page", "odatanextlink": "the URL of the next page",
        "nextcursor": "the cursor of the next page", "cursor": "a cursor", "endcursor": "the cursor of the next page",
        "nextpagetoken": "the cursor of the next page", "nexttoken": "the cursor of the next page",
        "continue": "the cursor of the next page", "hasmore": "a flag for further pages",
        "hasnext": "a flag for further pages", "hasnextpage": "a flag for further pages",
        "more": "a flag for further pages", "totalpages": "the number of pages", "pages": "the number of pages",
        "pagecount": "the number of pages", "lastpage": "the number of pages",
    ]

    /// Returns a description of each member that suggests further pages, with its path in the response.
    static func find(in response: HTTPResponse) -> [String] {
        var signs: [String] = []
        let links = response.headers.filter { $0.isNamed("Link") }.flatMap { WebLink.read($0.value) }
        if links.contains(where: { $0.relations.contains("next") && $0["results"] != "false" }) {
            signs.append("the header field 'Link' names a next page; use \"style\": \"link\"")
        }
        guard response.body.count <= 1 << 22, let document = try? response.json() else { return signs }
        document.withRoot { root in search(root, "", depth: 0, &signs) }
        return signs
    }

    private static func search(_ view: JSONView, _ path: String, depth: Int, _ signs: inout [String]) {
        guard depth < maxDepth else { return }
        for member in view.members {
            guard let name = member.key.string else { continue }
            let place = path.isEmpty ? name : "\(path).\(name)"
            let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
            if let link = next(in: member.value) {
                signs.append("'\(place).\(link)' seems to be the URL of the next page")
            } else if let meaning = known[plain], isSign(member.value) {
                signs.append("'\(place)' seems to be \(meaning)")
            } else {
                search(member.value, place, depth: depth + 1, &signs)
            }
        }
    }

    /// Returns a selector for the URL of the next page in an array of links, such as `[rel=next].href`. Nil if the
    /// value is not an array of links, or if no link leads to the next page.
    private static func next(in view: JSONView) -> String? {
        for relation in ["rel", "relation"] {
            let link = view.elements.lazy.first { $0[relation]?.isString("next") == true }
            if let url = ["href", "url"].first(where: { link?[$0]?.string?.isEmpty == false }) {
                return "[\(relation)=next].\(url)"
            }
        }
        return nil
    }

    /// Whether the value of a known member suggests a further page: a nonempty string or object, a number over 1, or
    /// true.
    private static func isSign(_ view: JSONView) -> Bool {
        switch view.kind {
        case .string: view.string?.isEmpty == false
        case .number: view.integer ?? 0 > 1
        case .true: true
        case .object: view.members.contains { _ in true }
        default: false
        }
    }
}
