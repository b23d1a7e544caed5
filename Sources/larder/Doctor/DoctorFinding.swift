import JSON

/// A result of a check of `larder doctor`.
struct DoctorFinding: Equatable, Sendable {
    enum Kind: String, Sendable {
        /// The check passed.
        case ok
        /// The check failed for a part that Larder can run without.
        case warning
        /// The check failed for a part that Larder requires.
        case fault
    }

    let kind: Kind
    /// The checked part, such as `cache file`.
    let what: String
    /// The state of the part, and the fix if there is a problem.
    let message: String

    init(_ kind: Kind, _ what: String, _ message: String) {
        self.kind = kind
        self.what = what
        self.message = message
    }

    /// The finding as one line, `fault    catalog: ...`. Control characters in the message are escaped.
    var line: String {
        let width = Kind.warning.rawValue.count + 2
        let head = kind.rawValue + String(repeating: " ", count: width - kind.rawValue.count)
        return VisibleText.line("\(head)\(what): \(message)")
    }

    /// The finding as `{"kind", "what", "message"}`.
    var json: JSONValue {
        ["kind": .string(kind.rawValue), "what": .string(what), "message": .string(message)]
    }
}
