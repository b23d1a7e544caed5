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

    /// Whether an answer's status alone rules it out.
    func concerns(_ status: Int) -> Bool { statuses?.contains(status) ?? true }

    /// Whether it has to look into the body.
    var readsBody: Bool {
        for case .body in [when, message] { return true }
        return false
    }

    /// Whether an answer fits.
    ///
    /// - Parameter body: the body; nil where it is no JSON.
    func fits(_ response: HTTPResponse, _ body: JSONPart?) -> Bool {
        guard concerns(response.status) else { return false }
        guard let when else { return true }
        return when.values(in: response, body).contains { value in
            guard let values else { return !value.isEmptyOrFalse }
            return values.contains { $0 == value.plainText }
        }
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
}

extension HTTPResponse {
    /// Notes what the first of the rules that fits says. A body that is read for it is not read again.
    mutating func judge(by rules: [ErrorRule]) async {
        let rules = rules.filter { $0.concerns(status) }
        guard !rules.isEmpty, status != 304 else { return }
        var answer = self
        if rules.contains(where: \.readsBody) {
            let response = self
            answer.document = await LargeBodies.reading(body.count) { try? response.json() }
        }
        let root = answer.document?.root
        if let rule = rules.first(where: { $0.fits(answer, root) }) {
            let words = rule.message.flatMap { $0.values(in: answer, root).first { !$0.isEmptyOrFalse } }
            answer.verdict = ErrorVerdict(
                kind: rule.kind, isPastTheEnd: rule.isPastTheEnd, message: words?.plainText)
        }
        self = answer
    }
}

extension AnswerSelector {
    /// Everything that stands there.
    func values(in response: HTTPResponse, _ body: JSONPart?) -> [JSONValue] {
        switch self {
        case .header(let name): response.headers[name].map { [.string($0)] } ?? []
        case .body(let selector):
            body?.withView { view in (selector.selectAll(in: view) ?? []).map { JSONValue($0.view) } } ?? []
        }
    }
}

extension JSONValue {
    var isEmptyOrFalse: Bool {
        switch self {
        case .null, .bool(false), .string(""): true
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.isEmpty
        default: false
        }
    }
}
