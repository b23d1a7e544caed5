import JSON

/// Removes texts of an API that the catalog would interpret as references. A `${env:NAME}` in a document would
/// otherwise send a secret of this machine to the document's host.
enum DraftReferences {
    /// Objects from which single members can be removed.
    private static let maps: Set<String> = ["query", "headers", "filters", "fields"]

    static let reason = "the text contains '${', which a catalog would replace"

    /// Replaces each part that contains such a text with a comment. A member of another object, such as the name of a
    /// parameter, removes the whole object, because the rest would have another meaning.
    static func removed(from lines: [DraftLine]) -> [DraftLine] {
        lines.flatMap { line -> [DraftLine] in
            guard case .member(let key, let value, let note) = line else { return [line] }
            let comment = DraftLine.comment("'\(key)' is left out: \(reason)")
            guard case .object(let inner) = value else { return [holds(value) ? comment : line] }
            if !maps.contains(key), inner.contains(where: holdsItself) { return [comment] }
            let kept = removed(from: inner)
            if kept == inner { return [line] }
            let isNamed = kept.contains { if case .member = $0 { true } else { false } }
            return isNamed ? [.member(key, .object(kept), note: note)] : kept
        }
    }

    /// Whether a member that is not an object contains a reference.
    private static func holdsItself(_ line: DraftLine) -> Bool {
        guard case .member(_, let value, _) = line else { return false }
        if case .object = value { return false }
        return holds(value)
    }

    private static func holds(_ value: DraftValue) -> Bool {
        switch value {
        case .json(let json): holds(json)
        case .array(let values): values.contains { holds($0) }
        case .object(let lines):
            lines.contains { if case .member(_, let value, _) = $0 { holds(value) } else { false } }
        }
    }

    private static func holds(_ json: JSONValue) -> Bool {
        switch json {
        case .string(let text): text.contains("${")
        case .array(let values): values.contains { holds($0) }
        case .object(let object): object.members.contains { holds($0.value) }
        case .null, .bool, .number: false
        }
    }
}
