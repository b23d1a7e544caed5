import JSON
import Model

/// The values for the placeholders of a request: ids, and the values of the scope.
public struct PlaceholderValues: Equatable, Sendable {
    /// The value `repeat` of the catalog key `join`. With this value, the query contains one parameter for each id.
    static let repeated = "repeat"

    /// The requested ids. For the placeholder `{id}`, the array has one element.
    public var ids: [String] = []
    /// The separator for joining several ids into one string.
    public var join = ","
    /// The type of the requested ids.
    public var idType = IDType.string
    /// The values of the scope, by name.
    public var scope: [(name: String, value: JSONValue)] = []

    /// Creates values for a request that has no ids and no scope.
    public init() {}

    /// Creates values for the placeholders of a request from ids and a scope.
    public init(ids: [String], join: String = ",", _ idType: IDType = .string, scope: ResourceScope? = nil) {
        self.ids = ids
        self.join = join
        self.idType = idType
        self.scope = scope?.values ?? []
    }

    public static func == (left: PlaceholderValues, right: PlaceholderValues) -> Bool {
        left.ids == right.ids && left.join == right.join && left.idType == right.idType
            && left.scope.elementsEqual(right.scope) { $0.name == $1.name && $0.value == $1.value }
    }

    /// Returns the strings that replace a placeholder. Only `{ids}` can be replaced by several strings.
    func texts(of place: String) -> [String] {
        switch place {
        case "id", "ids": ids
        default: scope.first { $0.name == place }.map { [$0.value.plainText] } ?? []
        }
    }

    /// Returns the JSON value of a placeholder: a number for an integer id, and an array for `{ids}`. In a body, this
    /// value replaces a string that contains only the placeholder.
    func json(of place: String) -> JSONValue {
        switch place {
        case "id": ids.first.map { json(ofID: $0) } ?? .null
        case "ids": .array(ids.map { json(ofID: $0) })
        default: scope.first { $0.name == place }?.value ?? .null
        }
    }

    private func json(ofID id: String) -> JSONValue { idType == .integer ? .number(id) : .string(id) }
}

extension JSONValue {
    /// The text of the value in a query, a path or a header field: a string without quotes, any other value as JSON.
    public var plainText: String { if case .string(let text) = self { text } else { text } }
}
