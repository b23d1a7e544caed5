import JSON

/// What tells an answer that is an error, whatever its status, and what it means.
public struct ErrorRule: Equatable, Sendable {
    /// The statuses that it is for; nil is any.
    public let statuses: [Int]?
    /// Where the answer says it; nil where the status says enough.
    public let when: AnswerSelector?
    /// What it says there; nil is anything but null, false and empty.
    public let values: [String]?
    /// Whether it means that the page lies behind the list's last.
    public let isPastTheEnd: Bool
    /// What it means; nil where the status decides.
    public let kind: APIError.Kind?
    /// Where the API's own words stand.
    public let message: AnswerSelector?

    package init(
        statuses: [Int]?, when: AnswerSelector?, values: [String]?, isPastTheEnd: Bool, kind: APIError.Kind?,
        message: AnswerSelector?
    ) {
        self.statuses = statuses
        self.when = when
        self.values = values
        self.isPastTheEnd = isPastTheEnd
        self.kind = kind
        self.message = message
    }

    /// Whether an answer's status alone rules it out.
    package func concerns(_ status: Int) -> Bool { statuses?.contains(status) ?? true }

    /// Whether it has to look into the body.
    package var readsBody: Bool {
        for case .body in [when, message] { return true }
        return false
    }
}

/// What a rule says of an answer.
public struct ErrorVerdict: Equatable, Sendable {
    /// What the error is; nil where the status decides.
    public let kind: APIError.Kind?
    /// Whether the page lies behind the list's last.
    public let isPastTheEnd: Bool
    /// The API's own words, where the rule says where they stand.
    public let message: String?

    package init(kind: APIError.Kind?, isPastTheEnd: Bool, message: String?) {
        self.kind = kind
        self.isPastTheEnd = isPastTheEnd
        self.message = message
    }
}
