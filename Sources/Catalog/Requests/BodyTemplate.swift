import JSON

/// The JSON body of a `POST` request that only reads data. Strings in the body can contain placeholders. If a string
/// consists of one placeholder, a JSON value replaces the string: a number for an integer id, an array for `{ids}`.
public indirect enum BodyTemplate: Equatable, Sendable {
    case constant(JSONValue)
    case text(TextTemplate)
    case array([BodyTemplate])
    case object([Member])

    /// One member of a JSON object in the body.
    public struct Member: Equatable, Sendable {
        let name: String
        let value: BodyTemplate
    }

    /// The names of the placeholders in the body.
    var places: [String] {
        switch self {
        case .constant: []
        case .text(let template): template.places
        case .array(let elements): elements.flatMap(\.places)
        case .object(let members): members.flatMap(\.value.places)
        }
    }

    /// Whether a string in the body contains `{ids}` and other characters. The ids are then joined into one string.
    var joinsIDs: Bool {
        switch self {
        case .constant: false
        case .text(let template): template.pieces.count > 1 && template.places.contains("ids")
        case .array(let elements): elements.contains(where: \.joinsIDs)
        case .object(let members): members.contains(where: \.value.joinsIDs)
        }
    }

    /// Returns the body with its placeholders replaced.
    func filled(_ values: PlaceholderValues) -> JSONValue {
        switch self {
        case .constant(let value): return value
        case .text(let template):
            if case .place(let name, _)? = template.pieces.first, template.pieces.count == 1 {
                return values.json(of: name)
            }
            return .string(template.filled(values))
        case .array(let elements): return .array(elements.map { $0.filled(values) })
        case .object(let members): return .object(JSONObject(members.map { ($0.name, $0.value.filled(values)) }))
        }
    }
}

extension JSONObject {
    /// Sets the value at a dotted path such as `page.size`. Creates missing objects on the path.
    package mutating func set(_ path: String, to value: JSONValue) {
        set(path.split(separator: ".", omittingEmptySubsequences: false)[...], to: value)
    }

    private mutating func set(_ steps: ArraySlice<Substring>, to value: JSONValue) {
        guard let first = steps.first.map(String.init) else { return }
        guard steps.count > 1 else {
            self[first] = value
            return
        }
        var inner = JSONObject()
        if case .object(let object)? = self[first] { inner = object }
        inner.set(steps.dropFirst(), to: value)
        self[first] = .object(inner)
    }
}
