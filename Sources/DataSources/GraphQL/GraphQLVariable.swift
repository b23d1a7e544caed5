import JSON

/// The value of a variable (GraphQL, October 2021, section 2.10).
public enum GraphQLVariable: Equatable, Sendable {
    case string(String)
    case int(Int)
    case double(Double)
    case bool(Bool)
    case null
    case list([GraphQLVariable])
    case object([(name: String, value: GraphQLVariable)])
    /// A number that must keep its digits, such as an id past 64 bits.
    case number(String)

    /// A string, a number or a boolean of a filter.
    public init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let digits): self = Int(digits).map { .int($0) } ?? .number(digits)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .list(elements.map { GraphQLVariable($0) })
        case .object(let object): self = .object(object.members.map { ($0.key, GraphQLVariable($0.value)) })
        }
    }

    /// The variable as JSON. A double that JSON cannot say (infinite, not a number) becomes null.
    public var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .int(let value): .integer(value)
        case .double(let value): value.isFinite ? .number("\(value)") : .null
        case .bool(let flag): .bool(flag)
        case .null: .null
        case .list(let elements): .array(elements.map(\.json))
        case .object(let members): .object(JSONObject(members.map { ($0.name, $0.value.json) }))
        case .number(let digits): .number(digits)
        }
    }

    /// Equal where their JSON is.
    public static func == (left: GraphQLVariable, right: GraphQLVariable) -> Bool { left.json == right.json }
}
