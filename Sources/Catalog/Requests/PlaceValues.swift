import JSON
import Model

/// What fills the places of a request: ids, and the values of the scope.
public struct PlaceValues: Equatable, Sendable {
    /// What stands in place of a joiner where the parameter is repeated.
    static let repeated = "repeat"

    /// The ids that are asked for; one for `{id}`.
    public var ids: [String] = []
    /// What stands between ids.
    public var join = ","
    /// What the ids are.
    public var idType = IDType.string
    /// The values of the scope, by name.
    public var scope: [(name: String, value: JSONValue)] = []

    /// Nothing to fill in.
    public init() {}

    /// These ids.
    public init(ids: [String], join: String = ",", _ idType: IDType = .string, scope: ResourceScope? = nil) {
        self.ids = ids
        self.join = join
        self.idType = idType
        self.scope = scope?.values ?? []
    }

    public static func == (left: PlaceValues, right: PlaceValues) -> Bool {
        left.ids == right.ids && left.join == right.join && left.idType == right.idType
            && left.scope.elementsEqual(right.scope) { $0.name == $1.name && $0.value == $1.value }
    }

    /// The texts that stand in a place; several for `{ids}`.
    func texts(of place: String) -> [String] {
        switch place {
        case "id", "ids": ids
        default: scope.first { $0.name == place }.map { [$0.value.plainText] } ?? []
        }
    }

    /// What stands in a place that is a whole value of a JSON body.
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
    /// The value as a query, a path or a header has it: a text as it is, all else as JSON writes it.
    public var plainText: String { if case .string(let text) = self { text } else { text } }
}
