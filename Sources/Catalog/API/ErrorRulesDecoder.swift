import JSON
import Model

/// Decodes `errors` of an API or of an operation.
struct ErrorRulesDecoder {
    /// All kinds of errors except `cancelled`. Only the caller can cancel a request, so no error rule may report this
    /// kind.
    static let kinds = APIError.Kind.allCases.filter { $0 != .cancelled }

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
        let statuses = object.value("status", "an HTTP status from 100 to 599, or an array of them", Self.statuses)
        let when = object.answerSelector("when")
        let values = object.value("is", "a string, a number, true or false, or an array of them", Self.values)
        let page = object.value("page", "\"past\"") { $0.isString("past") ? true : nil }
        let kind = object.value("kind", "one of \(Self.kinds.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))") {
            view in Self.kinds.first { view.isString($0.rawValue) }
        }
        let message = object.answerSelector("message")
        if object["status"] == nil, object["when"] == nil {
            reader.fault("\(object.what) needs 'status' or 'when'; add one of them", at: view)
        }
        if let view = object["is"], object["when"] == nil {
            reader.fault("'is' needs 'when', the selector of the value to compare; add 'when'", at: view)
        }
        if let view = object["kind"], page != nil, kind != .notFound {
            reader.fault("'kind' must be \"notFound\" in a rule with 'page'; change or remove 'kind'", at: view)
        }
        return ErrorRule(
            statuses: statuses, when: when, values: values, isPastTheEnd: page ?? false,
            kind: page == nil ? kind : .notFound, message: message)
    }

    private static func statuses(_ view: JSONView) -> [Int]? {
        list(view) { (100...599).containing($0.integer) }
    }

    private static func values(_ view: JSONView) -> [String]? {
        list(view) { $0.string ?? $0.number ?? $0.bool.map { $0 ? "true" : "false" } }
    }

    /// Returns the decoded values of an array. A single value counts as an array with one element. Returns nil for an
    /// empty array or an invalid value.
    private static func list<Value>(_ view: JSONView, _ read: (JSONView) -> Value?) -> [Value]? {
        guard view.kind == .array else { return read(view).map { [$0] } }
        let values = view.elements.map(read)
        let good = values.compactMap { $0 }
        return good.isEmpty || good.count < values.count ? nil : good
    }
}
