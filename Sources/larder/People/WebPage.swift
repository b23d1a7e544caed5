import Catalog
import JSON
import RPCServer
import System

/// The web page that shows an item.
struct WebPage {
    let url: String

    /// The names of fields that may contain the URL of a web page, in order of preference. The first name is `web`, so
    /// that a catalog can select the right URL with a field of this name.
    private static let names = [
        "web", "html_url", "web_url", "htmlUrl", "webUrl", "permalink", "permalink_url", "links.html.href",
        "_links.html.href",
        "links.html", "link", "homepage", "url",
    ]

    /// Finds the web page of an item. Returns nil if no field contains the URL of a web page.
    init?(of item: JSONValue) {
        let urls = Self.names.lazy.compactMap { CellText.find($0, in: item)?.string }
        guard let url = urls.first(where: { Self.isSafe($0) && !Self.isOfAPI($0) }) else { return nil }
        self.url = url
    }

    /// Whether items with these fields probably have web pages. A field `url` often contains the URL of the API, so it
    /// counts only if the catalog selects its value with `from`.
    static func isLikely(_ fields: [FieldDefinition]) -> Bool {
        fields.contains { names.contains($0.name) && ($0.name != "url" || $0.hasOwnSelector) }
    }

    /// Whether a string is an HTTP URL of printable ASCII characters without spaces, double quotes and backslashes.
    /// Browsers and terminals could interpret other characters differently.
    private static func isSafe(_ text: String) -> Bool {
        (text.hasPrefix("https://") || text.hasPrefix("http://"))
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    /// Whether a URL seems to lead to an API instead of a web page, as in `https://api.example.com/things/1`.
    private static func isOfAPI(_ url: String) -> Bool {
        ["://api.", "/api/", "/rest/"].contains { url.contains($0) }
    }

    /// Opens the page with the program in `BROWSER`, or with the program of the operating system. Returns whether the
    /// program started.
    func open(_ environment: Environment) -> Bool {
        let named = environment.bytes("BROWSER").map { String(decoding: $0, as: UTF8.self) } ?? ""
        #if os(macOS)
            let program = named.isEmpty ? "open" : named
        #else
            let program = named.isEmpty ? "xdg-open" : named
        #endif
        let finished = Program.wait(for: [program, url])
        if finished.ending == .exited(0) { return true }
        StandardStreams.show(
            "larder: '\(program)' could not open the page; set BROWSER to the name of a browser\n", on: 2)
        return false
    }
}
