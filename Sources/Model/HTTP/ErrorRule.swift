import JSON

/// A rule of the catalog that recognizes an error response and classifies the error.
public struct ErrorRule: Equatable, Sendable {
    /// The HTTP statuses to which the rule applies; nil for every status.
    public let statuses: [Int]?
    /// The selector of the value that shows whether the answer is an error. If nil, the HTTP status alone shows this.
    public let when: AnswerSelector?
    /// The values that indicate an error. If nil, every value indicates an error, except null, false, and an empty
    /// string, array or object.
    public let values: [String]?
    /// Whether the error means that the requested page is past the end of the list.
    public let isPastTheEnd: Bool
    /// The category of the error; nil if the HTTP status determines the category.
    public let kind: APIError.Kind?
    /// The selector that finds the API's error message in a response; nil if the rule has no such selector.
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

    /// Whether the rule applies to answers with the given HTTP status.
    package func concerns(_ status: Int) -> Bool { statuses?.contains(status) ?? true }

    /// Whether the rule needs the body of the answer.
    package var readsBody: Bool {
        for case .body in [when, message] { return true }
        return false
    }
}

/// The result of the error rule that matches a response: the category of the error, and the API's message.
public struct ErrorVerdict: Equatable, Sendable {
    /// The category of the error; nil if the HTTP status determines the category.
    public let kind: APIError.Kind?
    /// Whether the requested page is past the end of the list.
    public let isPastTheEnd: Bool
    /// The API's error message; nil if the answer contains no message or the rule has no selector for it.
    public let message: String?

    package init(kind: APIError.Kind?, isPastTheEnd: Bool, message: String?) {
        self.kind = kind
        self.isPastTheEnd = isPastTheEnd
        self.message = message
    }
}
