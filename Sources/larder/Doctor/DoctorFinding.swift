import JSON

/// One thing that `larder doctor` has found.
struct DoctorFinding: Equatable, Sendable {
    /// How much it matters.
    enum Kind: String, Sendable {
        /// It works.
        case ok
        /// Something does not, and Larder goes on without it, or the rest of it.
        case warning
        /// What was asked for does not work.
        case fault
    }

    let kind: Kind
    /// What was looked at.
    let what: String
    /// How it is, and what to do about it.
    let message: String

    init(_ kind: Kind, _ what: String, _ message: String) {
        self.kind = kind
        self.what = what
        self.message = message
    }

    /// `fault    catalog: ...`: the words stand in columns. What others say is on one line too.
    var line: String {
        let width = Kind.warning.rawValue.count + 2
        let head = kind.rawValue + String(repeating: " ", count: width - kind.rawValue.count)
        return VisibleText.line("\(head)\(what): \(message)")
    }

    /// `{"kind", "what", "message"}`.
    var json: JSONValue {
        ["kind": .string(kind.rawValue), "what": .string(what), "message": .string(message)]
    }
}
