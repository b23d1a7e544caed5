import Catalog
import JSON
import Protocol

/// Converts the filter values of a list to the forms that `RESOURCE/list` expects.
struct ListFilterValues {
    private let filters: [FilterDefinition]

    init(_ filters: [FilterDefinition]) { self.filters = filters }

    /// Returns the `filter` argument with converted values; nil if the argument is absent.
    ///
    /// - Throws: `invalidParams` if the argument is not an object.
    func filter(of arguments: ToolArguments) throws(RPCError) -> FilterParam? {
        try arguments.filter(example: filters.first?.name) { name, value in
            guard let filter = filters.first(where: { $0.name == name }) else { return value }
            return Self.converted(value, isArray: filter.type.isArray)
        }
    }

    /// Converts a filter value to the form that `RESOURCE/list` expects. Applies these rules, and returns any other
    /// value unchanged:
    ///
    /// - If the filter takes an array, a string with a JSON array becomes the array.
    /// - If the filter takes one value, an array with one element becomes the element.
    /// - A whole number loses its fraction digits: `2.0` becomes `2`.
    static func converted(_ value: JSONValue, isArray: Bool) -> JSONValue {
        switch (value, isArray) {
        case (.array(let elements), true): return .array(elements.map { ArgumentForm.id.converted($0) })
        case (.array(let elements), false) where elements.count == 1: return ArgumentForm.id.converted(elements[0])
        case (.string(let text), true) where text.hasPrefix("["):
            guard let parsed = try? JSONValue(parsing: text), case .array = parsed else { return value }
            return converted(parsed, isArray: true)
        case (.number, _): return ArgumentForm.id.converted(value)
        default: return value
        }
    }
}
