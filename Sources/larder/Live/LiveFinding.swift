import DataSources
import JSON
import Model

/// The outcome of one operation in a live check. Call `redacted(by:)` before you print the outcome.
struct LiveFinding {
    let resource: String
    /// The name of the operation: `list`, `sync`, `get` or `getMany`.
    let operation: String
    /// The input of the operation, such as `page 2` or `id=7`. Several tests of one operation have different inputs.
    var detail: String?
    /// The first request to the API and its response; nil if no request was sent.
    var exchange: Exchange?
    /// The number of requests to the API, without retries.
    var exchanges = 0
    /// The number of items that the operation returned; nil if it failed or was not tested.
    var items: Int?
    /// The result of the second sync of a list; nil for other operations, and if there was no second sync.
    var changed: Changed?
    /// The error of the failed operation. Nil if the operation succeeded, or if the check did not test it.
    var error: APIError?
    /// The reason why the check did not test the operation; nil if it was tested.
    var notTried: String?
    /// The `pagination` that the catalog should declare for the list, as JSON. Nil if the catalog already declares a
    /// pagination, or if the response does not show which pagination the API uses.
    var missingPagination: String?
    /// Descriptions of unexpected but harmless properties of the response.
    var notes: [String] = []

    /// The result of a sync that requests only changes.
    struct Changed: Equatable {
        /// The number of changes that the sync found: new items, items with other content, and deleted items.
        let items: Int
        /// The number of requests for changes.
        let requests: Int
    }

    var hasFailed: Bool { error != nil }

    /// Returns a copy without secrets. An API may return a token in any string, such as an id or an error message.
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

    /// The outcome as text: one line for the operation, and one line for each note.
    var lines: [String] {
        var head = "\(resource)/\(operation)"
        if let detail { head += " \(detail)" }
        var parts: [String] = []
        if let notTried { parts.append("not tried: \(notTried)") }
        if let status = exchange?.status { parts.append("\(status)") }
        if let exchange { parts.append("\(exchange.milliseconds) ms") }
        if exchanges > 1 { parts.append("\(exchanges) requests") }
        if let items { parts.append(items == 1 ? "1 item" : "\(items) items") }
        if let changed {
            parts.append("then \(changed.items) changed (\(OriginText.count(changed.requests, "request")))")
        }
        if let exchange { parts.append("\(exchange.method) \(exchange.url)") }
        if let error { parts.append("\(error.kind.rawValue): \(error.message)") }
        let limits = exchange.map(\.limits).flatMap { limits in
            limits.isEmpty ? nil : limits.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        }
        let lines =
            ["\(head): \(parts.joined(separator: ", "))"] + notes.map { "  note: \($0)" }
            + (limits.map { ["  limits: \($0)"] } ?? [])
        return lines.map { VisibleText.line($0) }
    }

    /// The outcome as `{"resource", "operation", "detail", "tried", "reason", "method", "url", "status",
    /// "milliseconds", "requests", "items", "changed", "error", "notes", "limits"}`. Unknown values are null.
    var json: JSONValue {
        func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        func number(_ number: Int?) -> JSONValue { number.map { .integer($0) } ?? .null }
        return [
            "resource": .string(resource), "operation": .string(operation), "detail": text(detail),
            "tried": .bool(notTried == nil), "reason": text(notTried), "method": text(exchange?.method),
            "url": text(exchange?.url), "status": number(exchange?.status),
            "milliseconds": number(exchange?.milliseconds), "requests": .integer(exchanges), "items": number(items),
            "changed": number(changed?.items),
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
