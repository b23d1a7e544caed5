import JSON

/// One result of a check of `larder doctor`.
struct DoctorFinding: Equatable, Sendable {
    enum Kind: String, Sendable {
        /// The checked component works.
        case ok
        /// The check failed, but Larder can run without the checked component.
        case warning
        /// The check failed, and Larder cannot run without the checked component.
        case fault
    }

    let kind: Kind
    /// The name of the checked component, such as `cache file`.
    let what: String
    /// A message about the checked component. For a problem, the message includes the fix.
    let message: String

    init(_ kind: Kind, _ what: String, _ message: String) {
        self.kind = kind
        self.what = what
        self.message = message
    }

    /// The check's result as one line, such as `fault    catalog: ...`. Control characters are escaped.
    var line: String {
        let width = Kind.warning.rawValue.count + 2
        let head = kind.rawValue + String(repeating: " ", count: width - kind.rawValue.count)
        return VisibleText.line("\(head)\(what): \(message)")
    }

    /// The check's result as `{"kind", "what", "message"}`.
    var json: JSONValue {
        ["kind": .string(kind.rawValue), "what": .string(what), "message": .string(message)]
    }
}
