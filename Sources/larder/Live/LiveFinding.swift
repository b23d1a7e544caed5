import DataSources
import JSON
import Model

/// What came of one operation of a catalog that was tried out. No secret stands in one that is `redacted`.
struct LiveFinding {
    let resource: String
    /// `list`, `get` or `getMany`.
    let operation: String
    /// What tells it from another try: `page 2`, `id=7`.
    var detail: String?
    /// The first exchange; nil where none was made.
    var exchange: Exchange?
    /// How many exchanges there were.
    var exchanges = 0
    /// How many items came.
    var items: Int?
    /// What failed; nil where nothing did.
    var error: APIError?
    /// Why it was not tried; nil where it was.
    var notTried: String?
    /// What is odd.
    var notes: [String] = []

    var hasFailed: Bool { error != nil }

    /// The same without secrets. An API may say a token back anywhere: in ids, in keys, which make up paths, and in
    /// words. The exchange has none: who notes it takes them out.
    func redacted(by redactor: Redactor) -> LiveFinding {
        var finding = self
        finding.detail = detail.map { redactor.redact($0) }
        finding.notTried = notTried.map { redactor.redact($0) }
        finding.notes = notes.map { redactor.redact($0) }
        if var error {
            error.message = redactor.redact(error.message)
            error.path = error.path.map { redactor.redact($0) }
            error.apiMessage = error.apiMessage.map { redactor.redact($0) }
            error.url = error.url.map { redactor.redact($0) }
            finding.error = error
        }
        return finding
    }

    /// A line, and one for each note.
    var lines: [String] {
        var head = "\(resource)/\(operation)"
        if let detail { head += " \(detail)" }
        var said: [String] = []
        if let notTried { said.append("not tried: \(notTried)") }
        if let status = exchange?.status { said.append("\(status)") }
        if let exchange { said.append("\(exchange.milliseconds) ms") }
        if exchanges > 1 { said.append("\(exchanges) requests") }
        if let items { said.append(items == 1 ? "1 item" : "\(items) items") }
        if let exchange { said.append("\(exchange.method) \(exchange.url)") }
        if let error { said.append("\(error.kind.rawValue): \(error.message)") }
        let limits = exchange.map(\.limits).flatMap { limits in
            limits.isEmpty ? nil : limits.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        }
        let lines =
            ["\(head): \(said.joined(separator: ", "))"] + notes.map { "  note: \($0)" }
            + (limits.map { ["  limits: \($0)"] } ?? [])
        return lines.map { VisibleText.line($0) }
    }

    /// `{"resource", "operation", "detail", "tried", "reason", "method", "url", "status", "milliseconds", "requests",
    /// "items", "error", "notes", "limits"}`; what is not known is null.
    var json: JSONValue {
        func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        func number(_ number: Int?) -> JSONValue { number.map { .integer($0) } ?? .null }
        return [
            "resource": .string(resource), "operation": .string(operation), "detail": text(detail),
            "tried": .bool(notTried == nil), "reason": text(notTried), "method": text(exchange?.method),
            "url": text(exchange?.url), "status": number(exchange?.status),
            "milliseconds": number(exchange?.milliseconds), "requests": .integer(exchanges), "items": number(items),
            "error": error.map { error in
                [
                    "kind": .string(error.kind.rawValue), "message": .string(error.message), "path": text(error.path),
                ]
            } ?? .null,
            "notes": .array(notes.map { .string($0) }),
            "limits": .object(JSONObject(exchange?.limits.map { ($0.name, .string($0.value)) } ?? [])),
        ]
    }
}
