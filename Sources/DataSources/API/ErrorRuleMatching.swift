import HTTP
import JSON
import Model
import System

extension ErrorRule {
    /// Returns whether an answer matches the error rule.
    ///
    /// - Parameter body: the body of the answer; nil if the body is not JSON.
    func matches(_ response: HTTPResponse, _ body: JSONPart?) -> Bool {
        guard concerns(response.status) else { return false }
        guard let when else { return true }
        return when.values(in: response, body).contains { $0.meets(values) }
    }
}

extension HTTPResponse {
    /// Finds the first error rule that matches this answer, and stores the rule's error in `verdict`. If a rule reads
    /// the body, also stores the parsed body in `document`, so that later reads do not parse it again.
    ///
    /// - Parameter isLines: whether the body may be NDJSON. If no rule matches such a body as one JSON value, checks
    ///   the rules again on an array of the body's lines.
    mutating func judge(by rules: [ErrorRule], isLines: Bool = false) async {
        let rules = rules.filter { $0.concerns(status) }
        guard !rules.isEmpty, status != 304 else { return }
        var answer = self
        let (response, readsBody) = (self, rules.contains(where: \.readsBody))
        if readsBody { answer.document = await LargeBodies.reading(body.count) { try? response.json() } }
        var root = answer.document?.root
        var rule = rules.first { $0.matches(answer, root) }
        if rule == nil, readsBody, isLines {
            root = await LargeBodies.reading(body.count) { try? JSONLines.array(of: response) }
            rule = rules.first { $0.matches(answer, root) }
        }
        if let rule {
            let message = rule.message.flatMap { $0.values(in: answer, root).first { !$0.isEmptyOrFalse } }
            answer.verdict = ErrorVerdict(
                kind: rule.kind, isPastTheEnd: rule.isPastTheEnd, message: message?.plainText)
        }
        self = answer
    }
}

extension HTTPRequest {
    /// Whether the request asks for NDJSON.
    var acceptsLines: Bool { headers["Accept"] == "application/x-ndjson" }
}

extension AnswerSelector {
    /// Returns all values that the selector finds in a header field or in the body of an answer.
    func values(in response: HTTPResponse, _ body: JSONPart?) -> [JSONValue] {
        switch self {
        case .header(let name): response.headers[name].map { [.string($0)] } ?? []
        case .body(let selector):
            body?.withView { view in (selector.selectAll(in: view) ?? []).map { JSONValue($0.view) } } ?? []
        }
    }
}
