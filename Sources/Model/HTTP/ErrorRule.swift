import JSON

/// A rule of the catalog that detects errors in answers, with its classification.
public struct ErrorRule: Equatable, Sendable {
    /// The statuses to which the rule applies; nil for any status.
    public let statuses: [Int]?
    /// The place of the value that indicates an error; nil if the status is sufficient.
    public let when: AnswerSelector?
    /// The values that indicate an error; nil for any value except null, false and an empty value.
    public let values: [String]?
    /// Whether the error means that the requested page is past the end of the list.
    public let isPastTheEnd: Bool
    /// The category of the error; nil if the status determines it.
    public let kind: APIError.Kind?
    /// The place of the API's error message.
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

    /// Whether the rule applies to answers with this status.
    package func concerns(_ status: Int) -> Bool { statuses?.contains(status) ?? true }

    /// Whether the rule reads the body of the answer.
    package var readsBody: Bool {
        for case .body in [when, message] { return true }
        return false
    }
}

/// The result of an error rule that matched an answer.
public struct ErrorVerdict: Equatable, Sendable {
    /// The category of the error; nil if the status determines it.
    public let kind: APIError.Kind?
    /// Whether the requested page is past the end of the list.
    public let isPastTheEnd: Bool
    /// The API's error message, if the rule declares its place.
    public let message: String?

    package init(kind: APIError.Kind?, isPastTheEnd: Bool, message: String?) {
        self.kind = kind
        self.isPastTheEnd = isPastTheEnd
        self.message = message
    }
}
