import System

/// A dotted path to a value, such as `info.pages`.
///
/// A number selects an element of an array: `rows.0`. `*` selects all elements of an array, or all values of an object.
/// `[rel=next]` selects the first array element whose member `rel` is the string `next`. `@key` selects the object key
/// of the value that `*` has selected. The empty path selects the value itself.
public struct JSONSelector: Hashable, Sendable {
    /// One step of a selector's path. In the path, dots separate the steps.
    enum Step: Hashable, Sendable {
        /// Selects the member of an object by its name. If the name is a number, also selects the array element with
        /// this index.
        case member(String)
        /// Selects all elements of an array, or all values of an object.
        case all
        /// Selects a member's key instead of its value. The member is the one that the step `*` has selected.
        case key
        /// Selects the first array element whose member `name` is the string `text`.
        indirect case first(name: String, text: String)

        /// Parses a step of a selector's path.
        init(_ step: String) {
            switch step {
            case "*": self = .all
            case "@key": self = .key
            default: self = Self.first(step) ?? .member(step)
            }
        }

        /// Parses a condition such as `[rel=next]`. Returns nil if the step is not a condition.
        private static func first(_ step: String) -> Step? {
            guard step.hasPrefix("["), step.hasSuffix("]"), let equals = step.firstIndex(of: "=") else { return nil }
            let (name, text) = (step[..<equals].dropFirst(), step[equals...].dropFirst().dropLast())
            return name.isEmpty || text.isEmpty ? nil : .first(name: String(name), text: String(text))
        }

        /// The step as written in a path.
        var name: String {
            switch self {
            case .member(let name): name
            case .all: "*"
            case .key: "@key"
            case .first(let name, let text): "[\(name)=\(text)]"
            }
        }
    }

    /// The path as written. If the selector was created from steps, dots join the steps.
    public let path: String
    let steps: [Step]
    /// Whether the selector can select several values.
    public let isMultiple: Bool

    /// Parses a path. Returns nil for a path with an empty step, such as `a..b` or `.a`.
    public init?(_ path: String) {
        self.init(
            steps: path.isEmpty ? [] : path.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
    }

    /// Creates a selector from its steps. A step may contain dots, because object keys may contain dots. Returns nil if
    /// a step is empty.
    public init?(steps: [String]) {
        guard steps.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.init(
            path: steps.joined(separator: "."),
            steps: steps.map { Step($0) })
    }

    /// Creates a selector with a single member name. The name may contain any characters.
    public init(field key: String) { self.init(path: key, steps: [.member(key)]) }

    /// The empty selector, which selects the whole value.
    public static let whole = JSONSelector(path: "", steps: [])

    private init(path: String, steps: [Step]) {
        self.path = path
        self.steps = steps
        isMultiple = steps.contains(.all)
    }

    /// The placeholder `{id}` in a path, which `filled(id:)` replaces with an id.
    private static let idStep = Step.member("{id}")

    /// Returns a copy of the selector with `id` in place of each placeholder `{id}`.
    public func filled(id: String) -> JSONSelector {
        guard steps.contains(Self.idStep) else { return self }
        let filled = steps.map { $0 == Self.idStep ? .member(id) : $0 }
        return JSONSelector(path: filled.map(\.name).joined(separator: "."), steps: filled)
    }

    /// Whether the path contains the step `@key`.
    public var hasKey: Bool { steps.contains(.key) }

    /// The member name at the end of the path, such as `id` in `user.id`. Nil if the path does not end with a member
    /// name.
    public var lastMember: String? { if case .member(let name)? = steps.last { name } else { nil } }

    /// The member name if the path consists only of one name, such as `id`; otherwise nil.
    public var onlyMember: String? { steps.count == 1 ? lastMember : nil }

    /// The part of the path before the first `*`; the whole path if it contains no `*`.
    public var container: JSONSelector {
        guard let end = steps.firstIndex(of: .all) else { return self }
        return JSONSelector(path: steps[..<end].map(\.name).joined(separator: "."), steps: Array(steps[..<end]))
    }

    /// Returns the first selected value; nil if no value is selected.
    ///
    /// - Parameter key: the key of `view`, if `view` is the value of an object's member. The step `@key` selects this
    ///   key.
    public func select(in view: JSONView, key: JSONView? = nil) -> JSONView? {
        if steps.count == 1, view.kind == .object, case .member(let name) = steps[0] { return view[name] }
        guard isMultiple else { return follow(steps[...], view, key) }
        return selectAll(in: view, key: key)?.first?.view
    }

    /// Returns whether a path contains a condition, such as `[rel=next]`, that no element of its array meets.
    package func hasUnmetCondition(in view: JSONView) -> Bool {
        steps.indices.contains { index in
            guard case .first = steps[index], let array = follow(steps[..<index], view, nil) else { return false }
            return array.kind == .array && follow([steps[index]], array, nil) == nil
        }
    }

    /// Suggests a correction for a misspelled path that selects nothing. Returns nil if no key is similar.
    // The suggestion replaces the first step that selects nothing with the most similar key. There is no suggestion for
    // a step after a `*`.
    public func meant(in view: JSONView) -> String? {
        var current = view
        var names: [String] = []
        for step in steps {
            guard case .member(let name) = step else { return nil }
            guard let next = follow([step], current, nil) else {
                let near = Spelling.nearest(to: name, in: current.members.compactMap { $0.key.string })
                return near.map { (names + [$0]).joined(separator: ".") }
            }
            names.append(name)
            current = next
        }
        return nil
    }

    /// One of the values that match a selector.
    public struct Pick {
        public let view: JSONView
        /// The object key of the value that the last `*` selected; nil for an element of an array.
        public let key: JSONView?
        /// The path of the value, relative to the searched value: `edges[3].node`.
        public let path: String
    }

    /// Returns all selected values in the order of the document. Skips elements in which the rest of the path after `*`
    /// selects nothing.
    ///
    /// - Returns: nil if the path before `*` selects nothing, or if `*` applies to neither an array nor an object.
    public func selectAll(in view: JSONView, key: JSONView? = nil) -> [Pick]? {
        var picks: [Pick] = []
        return collect(steps[...], view, key, "", into: &picks) ? picks : nil
    }

    /// Appends the selected values to `picks`. Returns false if the path before `*` selects nothing, or if `*` applies
    /// to neither an array nor an object.
    private func collect(
        _ steps: ArraySlice<Step>, _ view: JSONView, _ key: JSONView?, _ path: String, into picks: inout [Pick]
    ) -> Bool {
        let end = steps.firstIndex(of: .all) ?? steps.endIndex
        guard let found = follow(steps[..<end], view, key) else { return false }
        let path = steps[..<end].reduce(path) { path, step in
            if step == .key { return path }
            return path.isEmpty ? step.name : "\(path).\(step.name)"
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

    /// Returns the value that a path without `*` selects; nil if a step of the path selects nothing.
    private func follow(_ steps: ArraySlice<Step>, _ view: JSONView, _ key: JSONView?) -> JSONView? {
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
            case .first(let name, let text):
                next = current.elements.lazy.first { $0[name]?.isString(text) == true }
            case .all: next = nil
            }
            guard let next else { return nil }
            current = next
        }
        return current
    }

    /// Parses a step as the index of an array element. The index must consist only of digits, without a sign.
    private static func index(_ step: String) -> Int? {
        step.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(step) : nil
    }
}
