/// A path of an OpenAPI document, split into segments.
struct OpenAPIPath: Equatable {
    let text: String
    let segments: [Segment]
    let hasSlashAtEnd: Bool

    /// A segment of the path: a word, or a parameter with the text before and after it, such as `{id}.json`.
    struct Segment: Equatable {
        let prefix: String
        /// The name of the parameter; nil if the segment is a word.
        let parameter: String?
        let suffix: String
    }

    /// Parses a path. Nil if a catalog cannot express the path, because it contains whitespace, a query, `${` or a
    /// segment with several parameters.
    init?(_ text: String) {
        guard text.hasPrefix("/"), !text.contains("${"),
            !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == 0x3F || $0 == 0x23 })
        else { return nil }
        // The format is `json`, because Larder requests JSON.
        let text = text.replacing(".{format}", with: ".json")
        self.text = text
        hasSlashAtEnd = text.count > 1 && text.hasSuffix("/")
        var segments: [Segment] = []
        for part in text.split(separator: "/") {
            guard let segment = Segment(part) else { return nil }
            segments.append(segment)
        }
        self.segments = segments
    }

    /// Returns the pattern of the first `count` segments: each parameter becomes `{}`. Paths that differ only in the
    /// names of parameters have the same pattern.
    func pattern(of count: Int) -> String {
        segments.prefix(count).map { segment in
            segment.parameter == nil ? segment.word : "\(segment.prefix){}"
        }.joined(separator: "/")
    }

    var pattern: String { pattern(of: segments.count) }

    /// The pattern of the collection that contains the item at this path: `pets` for `/pets/{id}`. Patterns have no
    /// slash at the start. Nil if the path does not end with a parameter.
    var collection: String? {
        guard let last = segments.last, last.parameter != nil else { return nil }
        // `/jobs/{id}:cancel` is not an item.
        guard last.suffix.isEmpty || last.suffix.hasPrefix(".") || last.suffix.hasSuffix(")") else { return nil }
        let parent = pattern(of: segments.count - 1)
        // OData writes `/users('{id}')`.
        guard let mark = last.prefix.firstIndex(of: "(") else { return last.prefix.isEmpty ? parent : nil }
        return parent + (parent.isEmpty ? "" : "/") + last.prefix[..<mark]
    }

    /// The names of the parameters, in the order of the path.
    var parameters: [String] { segments.compactMap(\.parameter) }

    /// Returns the path with renamed parameters. Parameters that `names` does not contain keep their names.
    func renamed(_ names: [String: String]) -> String {
        let parts = segments.map { segment in
            guard let parameter = segment.parameter else { return segment.prefix }
            return "\(segment.prefix){\(names[parameter] ?? parameter)}\(segment.suffix)"
        }
        return "/" + parts.joined(separator: "/") + (hasSlashAtEnd && !parts.isEmpty ? "/" : "")
    }

    /// The words in the path, the last word first. The name of the resource is made from these words.
    var words: [String] {
        segments.reversed().compactMap { segment in
            if segment.parameter == nil { return segment.word }
            return segment.prefix.firstIndex(of: "(").map { String(segment.prefix[..<$0]) }
        }
    }
}

extension OpenAPIPath.Segment {
    init?(_ text: Substring) {
        let opens = text.count { $0 == "{" }
        guard opens == text.count(where: { $0 == "}" }), opens <= 1 else { return nil }
        guard let open = text.firstIndex(of: "{") else {
            self.init(prefix: String(text), parameter: nil, suffix: "")
            return
        }
        guard let close = text.firstIndex(of: "}"), open < close else { return nil }
        self.init(
            prefix: String(text[..<open]), parameter: String(text[text.index(after: open)..<close]),
            suffix: String(text[text.index(after: close)...]))
    }

    /// The text of the segment without the ending `.json`.
    fileprivate var word: String { prefix.hasSuffix(".json") ? String(prefix.dropLast(5)) : prefix }
}
