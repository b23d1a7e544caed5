/// The user and password in front of a URL's host (RFC 3986, section 3.2.1), also where they were not encoded as they
/// should have been: all up to the last `@` is taken for them.
public enum Userinfo {
    /// The URL with a mark in place of user and password.
    public static func hide(in url: String) -> String {
        guard let range = range(in: url) else { return url }
        return url[..<range.lowerBound] + Redactor.mark + url[range.upperBound...]
    }

    /// The user and password; nil where there is none.
    static func find(in url: String) -> String? { range(in: url).map { String(url[$0]) } }

    private static func range(in url: String) -> Range<String.Index>? {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        guard let end = url.lastIndex(of: "@"), end >= start else { return nil }
        return start..<end
    }
}
