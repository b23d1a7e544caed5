import JSON

/// Keeps what others wrote from being filled in: `${env:NAME}` of a document would send a secret to its host.
enum DraftReferences {
    /// Objects whose members do not depend on each other.
    private static let maps: Set<String> = ["query", "headers", "filters", "fields"]

    static let reason = "it holds '${', which a catalog would fill in"

    /// The lines with a comment in the place of each part that holds such a text. Where it is a member of a whole, such
    /// as the name of a parameter, the whole is left out: the rest would mean something else.
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

    /// Whether a member that is no object holds one.
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
