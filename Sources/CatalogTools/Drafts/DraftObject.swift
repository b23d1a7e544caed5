/// An object in a draft catalog.
struct DraftObject {
    let lines: [DraftLine]

    init(_ lines: [DraftLine]) { self.lines = lines }

    subscript(key: String) -> DraftValue? {
        for case .member(key, let value, _) in lines { return value }
        return nil
    }

    func text(_ key: String) -> String? {
        if case .json(.string(let text))? = self[key] { text } else { nil }
    }

    /// Returns the object at a key; empty if there is none.
    func object(_ key: String) -> DraftObject {
        if case .object(let lines)? = self[key] { DraftObject(lines) } else { DraftObject([]) }
    }
}
