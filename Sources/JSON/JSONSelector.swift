/// A dotted path into a value: `info.pages`; a number picks an array's element: `rows.0`. The empty path is the value
/// itself.
public struct JSONSelector: Hashable, Sendable {
    /// The path as written.
    public let path: String
    private let steps: [String]

    /// A selector from its path.
    ///
    /// Returns nil for a path with an empty step, such as `a..b` or `.a`.
    public init?(_ path: String) {
        let steps = path.isEmpty ? [] : path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard steps.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.path = path
        self.steps = steps
    }

    /// The selector of one member, whatever characters its key has.
    public init(field key: String) { self.init(path: key, steps: [key]) }

    /// The selector of the whole value.
    public static let whole = JSONSelector(path: "", steps: [])

    private init(path: String, steps: [String]) {
        self.path = path
        self.steps = steps
    }

    /// What the path leads to; nil where a step leads nowhere.
    public func select(in view: JSONView) -> JSONView? {
        var current = view
        for step in steps {
            let next =
                current.kind == .array
                ? Self.index(step).flatMap { index in current.elements.dropFirst(index).first { _ in true } }
                : current[step]
            guard let next else { return nil }
            current = next
        }
        return current
    }

    /// An element's index: digits alone, without a sign.
    private static func index(_ step: String) -> Int? {
        step.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(step) : nil
    }
}
