import JSON

/// Removes strings with `${` from a draft catalog. Otherwise, a `${env:NAME}` in an API document could send a secret of
/// this machine to the host that the document names.
enum DraftReferences {
    /// The keys of catalog objects whose members are independent: removing one member does not change the meaning of
    /// the remaining members.
    private static let maps: Set<String> = ["query", "headers", "filters", "fields"]

    static let reason = "the text contains '${', which a catalog would replace"

    /// Replaces each member whose value contains `${` by a comment. If the members of an object depend on each other,
    /// the comment replaces the whole object.
    ///
    /// - Parameter maps: the keys of objects whose members are independent.
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

    /// Whether the value of a member contains `${`. False for an object, because its members are tested one by one.
    private static func holdsItself(_ line: DraftLine) -> Bool {
        guard case .member(_, let value, _) = line else { return false }
        if case .object = value { return false }
        return holds(value)
    }

    private static func holds(_ value: DraftValue) -> Bool {
        switch value {
        case .json(let json): holds(json)
        case .secret: false
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
