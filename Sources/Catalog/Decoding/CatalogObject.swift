import JSON
import Model

/// An object of the catalog while it is read: its members, each as what it must be. A member that is something else is
/// a fault at its place, and nil.
struct CatalogObject {
    let view: JSONView
    /// What it is, for messages: "the API 'github'".
    let what: String
    let reader: CatalogReader

    subscript(key: String) -> JSONView? { view[key] }

    /// A value that must be there.
    @discardableResult
    func required(_ key: String) -> JSONView? {
        if let view = self[key] { return view }
        reader.fault("\(what) needs '\(key)'", at: view)
        return nil
    }

    /// A value read by `read`; nil from it is a fault that says what was expected.
    func value<Value>(_ key: String, _ expected: String, _ read: (JSONView) -> Value?) -> Value? {
        guard let view = self[key] else { return nil }
        if let value = read(view) { return value }
        reader.fault("'\(key)' must be \(expected)", at: view)
        return nil
    }

    /// A number in a range.
    func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
        value(key, "a number from \(range.lowerBound) to \(range.upperBound)") { range.containing($0.integer) }
    }

    /// A text in which secrets may stand.
    func text(_ key: String) -> String? { self[key].flatMap { reader.expanded($0, key) } }

    /// A text that must be there, and in which secrets may stand.
    func requiredText(_ key: String) -> String? { required(key).flatMap { reader.expanded($0, key) } }

    /// Where something stands in a value: a dotted path, or its steps in an array.
    func selector(_ key: String) -> JSONSelector? {
        guard let selector = value(key, Self.selectorForm, Self.selector) else { return nil }
        if selector.hasKey, let view = self[key] {
            reader.fault("'@key' goes into the 'from' of a field or an id only", at: view)
        }
        return selector
    }

    /// A value, or an object with one for each operation.
    ///
    /// - Parameter otherwise: what the operations have that the object does not name.
    func perOperation<Value>(
        _ key: String, _ expected: String, otherwise: Value, _ read: (JSONView) -> Value?
    ) -> PerOperation<Value>? {
        guard let view = self[key] else { return nil }
        guard view.kind == .object else { return value(key, expected, read).map { PerOperation($0) } }
        let names = OperationName.allCases
        guard let object = reader.object(view, "'\(key)' of \(what)", keys: names.map(\.rawValue)) else { return nil }
        var own: [OperationName: Value] = [:]
        for name in names { own[name] = object.value(name.rawValue, expected, read) }
        return PerOperation(otherwise, own: own)
    }

    static let selectorForm = "a selector such as \"info.pages\""

    static func selector(_ view: JSONView) -> JSONSelector? {
        if let path = view.string { return JSONSelector(path) }
        let steps = view.elements.map { $0.string ?? $0.integer.map { String($0) } ?? "" }
        return steps.isEmpty ? nil : JSONSelector(steps: steps)
    }

    /// Where an answer says something: a selector into its body, or `{"header": NAME}`.
    func answerSelector(_ key: String) -> AnswerSelector? {
        guard let view = self[key], view.kind == .object else { return selector(key).map { .body($0) } }
        guard let object = reader.object(view, "'\(key)' of \(what)", .answerHeader) else { return nil }
        object.required("header")
        return object.value("header", "the name of a header field") {
            $0.string.flatMap { HTTPHeader.isSafe(name: $0, value: "") ? reader.answerHeader($0) : nil }
        }
    }

    func flag(_ key: String) -> Bool? { value(key, "true or false") { $0.bool } }

    /// An object of texts: headers, constant parameters, filters.
    func texts(_ key: String) -> [(name: String, value: String, key: JSONView, view: JSONView)] {
        guard let view = self[key] else { return [] }
        guard view.kind == .object else {
            reader.fault("'\(key)' must be an object of strings", at: view)
            return []
        }
        return reader.members(of: view, in: "'\(key)'").compactMap { member in
            reader.expanded(member.value, member.name).map { (member.name, $0, member.key, member.value) }
        }
    }

    /// Header fields.
    func headers(_ key: String) -> [HTTPHeader] {
        texts(key).compactMap { name, value, key, view -> HTTPHeader? in
            if HTTPHeader.isSafe(name: name, value: value) { return HTTPHeader(name, value) }
            let message = "'\(name)' is no header field with one line of text"
            guard HTTPHeader.isSafe(name: name, value: ""), reader.holdsSecret(view) else {
                reader.fault(message, at: key)
                return nil
            }
            return reader.malformed(message, at: view).map { HTTPHeader(name, $0) }
        }
    }

    /// The members of an object with names of the author's choice; a fault where the object is missing or has none.
    ///
    /// - Parameter isRequired: whether it must be there.
    func named(_ key: String, isRequired: Bool = true) -> [CatalogMember] {
        guard let view = isRequired ? required(key) : self[key] else { return [] }
        guard view.kind == .object else {
            reader.fault("'\(key)' must be an object", at: view)
            return []
        }
        let members = reader.members(of: view, in: "'\(key)'").filter(\.isFirst)
        if members.isEmpty { reader.fault("'\(key)' is empty", at: view) }
        return members
    }
}

extension ClosedRange<Int> {
    /// A number, if it lies in the range.
    func containing(_ value: Int?) -> Int? { value.flatMap { contains($0) ? $0 : nil } }

    /// The numbers over 0.
    static var positive: ClosedRange<Int> { 1...Int.max }
}
