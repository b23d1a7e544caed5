import JSON
import Model

/// A JSON object of the catalog that is being decoded. Its functions return members with the expected types. If a
/// member has another type, the function reports an error at the member's location and returns nil.
struct CatalogObject {
    let view: JSONView
    /// The description of the object in error messages, such as `the API 'github'`.
    let what: String
    let reader: CatalogReader

    subscript(key: String) -> JSONView? { reader.member(key, of: view) }

    /// Returns the value at a required key. Reports an error if the key is missing.
    @discardableResult
    func required(_ key: String) -> JSONView? {
        if let view = self[key] { return view }
        reader.fault("\(what) needs '\(key)'", at: view)
        return nil
    }

    /// Converts the value of a key with `read`. If `read` returns nil, reports the error "'KEY' must be EXPECTED", with
    /// the argument `expected` in place of EXPECTED.
    func value<Value>(_ key: String, _ expected: String, _ read: (JSONView) -> Value?) -> Value? {
        guard let view = self[key] else { return nil }
        if let value = read(view) { return value }
        reader.fault("'\(key)' must be \(expected)", at: view)
        return nil
    }

    /// Returns the integer at a key. Reports an error if the value is not an integer within the range.
    func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
        value(key, "a number from \(range.lowerBound) to \(range.upperBound)") { range.containing($0.integer) }
    }

    /// Returns the string at a key, after replacing its `${...}` references. The result can contain secrets.
    func text(_ key: String) -> String? { self[key].flatMap { reader.expanded($0, key) } }

    /// Returns the string at a required key, after replacing its `${...}` references. The result can contain secrets.
    func requiredText(_ key: String) -> String? { required(key).flatMap { reader.expanded($0, key) } }

    /// Returns the selector at a key. The catalog contains a dotted path such as `meta.pages`, or an array such as
    /// `["meta", "pages"]`.
    func selector(_ key: String) -> JSONSelector? {
        guard let selector = value(key, Self.selectorForm, Self.selector) else { return nil }
        if selector.hasKey, let view = self[key] {
            reader.fault("'@key' can be used only in 'from' of a field or an id; use another selector", at: view)
        }
        return selector
    }

    /// Returns a value that may differ between operations. The catalog contains one value for all operations, or an
    /// object such as `{"get": ..., "list": ...}`.
    ///
    /// - Parameter otherwise: the value for operations that the object does not name.
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

    /// Returns the selector that the catalog has at a key. The selector finds a value in a response: it is a path in
    /// the body, or `{"header": NAME}` for a header field.
    func answerSelector(_ key: String) -> AnswerSelector? {
        guard let view = self[key], view.kind == .object else { return selector(key).map { .body($0) } }
        guard let object = reader.object(view, "'\(key)' of \(what)", .answerHeader) else { return nil }
        object.required("header")
        return object.value("header", "the name of a header field, such as \"Link\"") {
            $0.string.flatMap { HTTPHeader.isSafe(name: $0, value: "") ? reader.answerHeader($0) : nil }
        }
    }

    func flag(_ key: String) -> Bool? { value(key, "true or false") { $0.bool } }

    /// Returns the members of the object at a key. Reports an error for each member whose value is not a string.
    func texts(_ key: String) -> [(name: String, value: String, key: JSONView, view: JSONView)] {
        guard let view = self[key] else { return [] }
        guard view.kind == .object else {
            reader.fault("'\(key)' must be an object of strings, such as {\"name\": \"value\"}", at: view)
            return []
        }
        return reader.members(of: view, in: "'\(key)'").compactMap { member in
            reader.expanded(member.value, member.name).map { (member.name, $0, member.key, member.value) }
        }
    }

    /// Returns the members of the object at a key as header fields. Reports an error for each invalid header field.
    func headers(_ key: String) -> [HTTPHeader] {
        texts(key).compactMap { name, value, key, view -> HTTPHeader? in
            if HTTPHeader.isSafe(name: name, value: value) { return HTTPHeader(name, value) }
            let message = "'\(name)' is not a valid header field; use a name without spaces and a value of one line"
            guard HTTPHeader.isSafe(name: name, value: ""), reader.holdsSecret(view) else {
                reader.fault(message, at: key)
                return nil
            }
            return reader.malformed(message, at: view).map { HTTPHeader(name, $0) }
        }
    }

    /// Returns the members of an object such as `apis`, whose keys are names chosen by the catalog's author. Reports an
    /// error if the object is empty.
    ///
    /// - Parameter isRequired: whether a missing object is an error.
    func named(_ key: String, isRequired: Bool = true) -> [CatalogMember] {
        guard let view = isRequired ? required(key) : self[key] else { return [] }
        guard view.kind == .object else {
            reader.fault("'\(key)' must be an object", at: view)
            return []
        }
        let members = reader.members(of: view, in: "'\(key)'").filter(\.isFirst)
        if members.isEmpty { reader.fault("'\(key)' must not be empty", at: view) }
        return members
    }
}

extension ClosedRange<Int> {
    /// Returns the value if this range contains it; otherwise nil.
    func containing(_ value: Int?) -> Int? { value.flatMap { contains($0) ? $0 : nil } }

    /// The integers greater than 0.
    static var positive: ClosedRange<Int> { 1...Int.max }
}

extension CatalogReader {
    /// Returns the value of an object's key; nil if there is none.
    // Not inlined, because decoders read many keys.
    @inline(never)
    fileprivate func member(_ key: String, of view: JSONView) -> JSONView? {
        guard let inheritance, inheritance.sync.offset == view.offset else { return view[key] }
        // `filters` has another meaning in `sync`.
        return (key == "filters" ? nil : view[key]) ?? inheritance.list[key]
    }
}
