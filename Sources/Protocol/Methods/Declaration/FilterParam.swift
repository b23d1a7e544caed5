import JSON

/// A list's filter: names with the values that an API is asked for, in the order of the names.
public struct FilterParam: Equatable, Sendable {
    /// The names and values, sorted by name; a name stands once.
    public let members: [Member]

    /// One name with its value.
    public struct Member: Equatable, Sendable {
        /// The filter's name in the catalog.
        public let name: String
        /// A string, a number or a boolean.
        public let value: JSONValue
    }

    /// What a filter's value may be; one that is null counts as absent.
    public static let valueSchema = JSONSchema.any(of: [.string, .number, .boolean])

    init?(_ view: JSONView) {
        guard view.kind == .object else { return nil }
        var values: [String: JSONValue] = [:]
        for member in view.members {
            guard let name = member.key.string else { return nil }
            switch member.value.kind {
            case .string, .number, .true, .false: values[name] = JSONValue(member.value)
            case .null: values[name] = nil
            case .array, .object: return nil
            }
        }
        members = values.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: $0.value) }
    }
}
