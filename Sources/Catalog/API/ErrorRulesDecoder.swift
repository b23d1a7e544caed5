import JSON
import Model

/// Decodes the key `errors`, the error rules of an API or operation.
struct ErrorRulesDecoder {
    /// The kinds of errors that an error rule may report. Two kinds are excluded, because they never result from a
    /// response: a cancelled call, and a missing recorded answer.
    static let kinds = APIError.Kind.allCases.filter { $0 != .cancelled && $0 != .notReplayed }

    let reader: CatalogReader

    /// Decodes the error rules of an API or operation, in the order of the catalog. Reports invalid rules.
    func decode(in owner: CatalogObject) -> [ErrorRule] {
        guard let view = owner["errors"] else { return [] }
        guard view.kind == .array else {
            reader.fault(
                "'errors' of \(owner.what) must be an array of rules, such as [{\"status\": 404}]",
                at: view)
            return []
        }
        return view.elements.compactMap { rule($0, of: owner) }
    }

    private func rule(_ view: JSONView, of owner: CatalogObject) -> ErrorRule? {
        guard let object = reader.object(view, "a rule in 'errors' of \(owner.what)", .errorRule) else {
            return nil
        }
        let statuses = object.value("status", "an HTTP status from 100 to 599, or an array of such numbers") { view in
            CatalogObject.oneOrMore(view) { (100...599).containing($0.integer) }
        }
        let when = object.answerSelector("when")
        let values = object.conditionValues()
        let page = object.value("page", "\"past\"") { $0.isString("past") ? true : nil }
        let isExpired = object.value("sync", "\"expired\"") { $0.isString("expired") ? true : nil } != nil
        let kind = object.value("kind", "one of \(Self.kinds.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))") {
            view in Self.kinds.first { view.isString($0.rawValue) }
        }
        let message = object.answerSelector("message")
        if object["status"] == nil, object["when"] == nil {
            reader.fault("\(object.what) needs 'status' or 'when'; add one of them", at: view)
        }
        if let view = object["kind"], page != nil || isExpired, kind != .notFound {
            let key = page != nil ? "page" : "sync"
            reader.fault("'kind' must be \"notFound\" in a rule with '\(key)'; change or remove 'kind'", at: view)
        }
        return ErrorRule(
            statuses: statuses, when: when, values: values, isPastTheEnd: page ?? false,
            kind: page == nil && !isExpired ? kind : .notFound, message: message)
    }
}
