import System

/// A dotted path into a value: `info.pages`; a number picks an array's element: `rows.0`; `*` picks all elements of an
/// array, or all values of an object, and `@key` behind it the key of each. The empty path is the value itself.
public struct JSONSelector: Hashable, Sendable {
    /// A step of a path.
    enum Step: Hashable, Sendable {
        /// The member of an object, or the element of an array where it is a number.
        case member(String)
        /// All elements, or all values.
        case all
        /// The key of the value that `all` has picked.
        case key
    }

    /// The path as written; of steps, joined by dots.
    public let path: String
    let steps: [Step]
    /// Whether it may pick several values.
    public let isMultiple: Bool

    /// A selector from its path.
    ///
    /// Returns nil for a path with an empty step, such as `a..b` or `.a`.
    public init?(_ path: String) {
        self.init(
            steps: path.isEmpty ? [] : path.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
    }

    /// A selector from its steps, in which dots mean nothing: a key may hold one.
    ///
    /// Returns nil where a step is empty.
    public init?(steps: [String]) {
        guard steps.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.init(
            path: steps.joined(separator: "."),
            steps: steps.map { step in
                switch step {
                case "*": .all
                case "@key": .key
                default: .member(step)
                }
            })
    }

    /// The selector of one member, whatever characters its key has.
    public init(field key: String) { self.init(path: key, steps: [.member(key)]) }

    /// The selector of the whole value.
    public static let whole = JSONSelector(path: "", steps: [])

    private init(path: String, steps: [Step]) {
        self.path = path
        self.steps = steps
        isMultiple = steps.contains(.all)
    }

    /// The step that stands for an id.
    private static let idStep = Step.member("{id}")

    /// The selector for one id: steps that are `{id}` are the member of that name.
    public func filled(id: String) -> JSONSelector {
        guard steps.contains(Self.idStep) else { return self }
        let filled = steps.map { $0 == Self.idStep ? .member(id) : $0 }
        let names = filled.map { step in
            switch step {
            case .member(let name): name
            case .all: "*"
            case .key: "@key"
            }
        }
        return JSONSelector(path: names.joined(separator: "."), steps: filled)
    }

    /// Whether it asks for a key.
    public var hasKey: Bool { steps.contains(.key) }

    /// The last member that it names, such as `id` of `user.id`; nil where it ends otherwise.
    public var lastMember: String? { if case .member(let name)? = steps.last { name } else { nil } }

    /// The member that is its whole path; nil where it has more steps, or none.
    public var onlyMember: String? { steps.count == 1 ? lastMember : nil }

    /// What stands before the first `*`; the selector itself where it has none.
    public var container: JSONSelector {
        guard let end = steps.firstIndex(of: .all) else { return self }
        let names = steps[..<end].map { step in if case .member(let name) = step { name } else { "@key" } }
        return JSONSelector(path: names.joined(separator: "."), steps: Array(steps[..<end]))
    }

    /// What the path leads to, the first where it picks several; nil where a step leads nowhere.
    ///
    /// - Parameter key: the key under which the value itself stands, for `@key`.
    public func select(in view: JSONView, key: JSONView? = nil) -> JSONView? {
        if steps.count == 1, view.kind == .object, case .member(let name) = steps[0] { return view[name] }
        guard isMultiple else { return walk(steps[...], view, key) }
        return selectAll(in: view, key: key)?.first?.view
    }

    /// The path that was perhaps meant, where this one leads nowhere: its first step that does is spelt as the nearest
    /// key that is there. Nil where none is near; behind a `*` none is looked for.
    public func meant(in view: JSONView) -> String? {
        var current = view
        var names: [String] = []
        for step in steps {
            guard case .member(let name) = step else { return nil }
            guard let next = walk([step], current, nil) else {
                let near = Spelling.nearest(to: name, in: current.members.compactMap { $0.key.string })
                return near.map { (names + [$0]).joined(separator: ".") }
            }
            names.append(name)
            current = next
        }
        return nil
    }

    /// One of the values that a selector picks.
    public struct Pick {
        public let view: JSONView
        /// The key of the value that the last `*` picked; nil in an array.
        public let key: JSONView?
        /// Where it stands below what was selected in: `edges[3].node`.
        public let path: String
    }

    /// Everything that the path leads to, in the order of the text; nil where nothing is there that `*` could pick
    /// from. Of what `*` picks, that is left out from which the rest of the path leads nowhere.
    public func selectAll(in view: JSONView, key: JSONView? = nil) -> [Pick]? {
        var picks: [Pick] = []
        return collect(steps[...], view, key, "", into: &picks) ? picks : nil
    }

    /// Returns whether the steps lead to something that values can be picked from.
    private func collect(
        _ steps: ArraySlice<Step>, _ view: JSONView, _ key: JSONView?, _ path: String, into picks: inout [Pick]
    ) -> Bool {
        let end = steps.firstIndex(of: .all) ?? steps.endIndex
        guard let found = walk(steps[..<end], view, key) else { return false }
        let path = steps[..<end].reduce(path) { path, step in
            guard case .member(let name) = step else { return path }
            return path.isEmpty ? name : "\(path).\(name)"
        }
        guard end < steps.endIndex else {
            picks.append(Pick(view: found, key: key, path: path))
            return true
        }
        let rest = steps[(end + 1)...]
        switch found.kind {
        case .array:
            for (index, element) in found.elements.enumerated() {
                _ = collect(rest, element, nil, "\(path)[\(index)]", into: &picks)
            }
        case .object:
            for member in found.members {
                let name = member.key.string ?? ""
                _ = collect(rest, member.value, member.key, path.isEmpty ? name : "\(path).\(name)", into: &picks)
            }
        default: return false
        }
        return true
    }

    /// Goes along steps without a `*`.
    private func walk(_ steps: ArraySlice<Step>, _ view: JSONView, _ key: JSONView?) -> JSONView? {
        var current = view
        for step in steps {
            let next: JSONView?
            switch step {
            case .key: next = key
            case .member(let name):
                next =
                    current.kind == .array
                    ? Self.index(name).flatMap { index in current.elements.dropFirst(index).first { _ in true } }
                    : current[name]
            case .all: next = nil
            }
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
