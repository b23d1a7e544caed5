import JSON

/// Decodes the condition of a rule: `when` selects a value, and `is` names the values for which the rule applies.
extension CatalogObject {
    /// Returns the values of the key `is` as strings; nil if the key is missing or invalid. Reports an error if `is` is
    /// declared without `when`.
    func conditionValues() -> [String]? {
        if let view = self["is"], self["when"] == nil {
            reader.fault("'is' needs 'when', the selector of the value to compare; add 'when'", at: view)
        }
        return value("is", "a string, a number, true, false, or an array of such values") { view in
            Self.oneOrMore(view) { $0.string ?? $0.number ?? $0.bool.map { $0 ? "true" : "false" } }
        }
    }

    /// Returns the decoded values of an array. A single value counts as an array with one element. Returns nil for an
    /// empty array or an invalid value.
    static func oneOrMore<Value>(_ view: JSONView, _ read: (JSONView) -> Value?) -> [Value]? {
        guard view.kind == .array else { return read(view).map { [$0] } }
        let values = view.elements.map(read)
        let good = values.compactMap { $0 }
        return good.isEmpty || good.count < values.count ? nil : good
    }
}
