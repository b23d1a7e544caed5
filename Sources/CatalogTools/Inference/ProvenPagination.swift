import HTTP
import JSON

/// Finds the pagination of a list whose answer contains the URL of the next page.
public enum ProvenPagination {
    /// The maximum size of an answer that is examined, in bytes.
    private static let maxBytes = 1 << 22

    /// Returns the member `pagination` of a list as JSON, without a trailing comma. Nil if neither the header field
    /// `Link` nor the body of the answer contains the URL of a next page.
    ///
    /// - Parameter url: the URL of the request.
    public static func member(of response: HTTPResponse, from url: String) -> String? {
        guard response.body.count <= maxBytes, let document = try? response.json(),
            let url = try? InferredURL(url)
        else { return nil }
        let lines = document.withRoot { root -> [DraftLine]? in
            guard let items = InferredItems(in: root, of: url) else { return nil }
            let draft = InferredPagination(root: root, items: items, headers: response.headers, url: url).draft()
            return draft.isProven ? draft.lines : nil
        }
        guard let lines else { return nil }
        let text = DraftPrinter.text(of: [.member("pagination", .object(lines))])
        return String(text.dropLast(2))
    }
}
