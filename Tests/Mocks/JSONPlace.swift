import JSON

/// A path in a JSON value, as keys and indices.
public struct JSONPlace: CustomStringConvertible {
    private enum Step {
        case key(String)
        case index(Int)
    }

    private let steps: [Step]

    /// The steps, separated by dots, such as `apis.a.auth`.
    public var description: String {
        steps.map { step in
            switch step {
            case .key(let key): key
            case .index(let index): String(index)
            }
        }.joined(separator: ".")
    }

    /// Returns the paths of all values inside a value, outer ones first. The first path is the path of the value
    /// itself.
    public static func all(in value: JSONValue) -> [JSONPlace] { all(in: value, below: []) }

    private static func all(in value: JSONValue, below steps: [Step]) -> [JSONPlace] {
        let inner =
            switch value {
            case .object(let object): object.members.flatMap { all(in: $0.value, below: steps + [.key($0.key)]) }
            case .array(let elements):
                elements.enumerated().flatMap { all(in: $0.element, below: steps + [.index($0.offset)]) }
            default: [JSONPlace]()
            }
        return [JSONPlace(steps: steps)] + inner
    }

    /// Returns the value at the path; nil if there is none.
    public func value(in value: JSONValue) -> JSONValue? {
        steps.reduce(value) { value, step in
            switch step {
            case .key(let key): value?[key]
            case .index(let index): value?[index]
            }
        }
    }

    /// Returns a copy of a value with `new` at the path. If `new` is nil, the value at the path is removed.
    public func replacing(in value: JSONValue, by new: JSONValue?) -> JSONValue? {
        Self.replace(value, steps[...], by: new)
    }

    private static func replace(_ value: JSONValue, _ steps: ArraySlice<Step>, by new: JSONValue?) -> JSONValue? {
        guard let step = steps.first else { return new }
        switch (value, step) {
        case (.object(let object), .key(let key)):
            let members = object.members.compactMap { member in
                let inner = member.key == key ? replace(member.value, steps.dropFirst(), by: new) : member.value
                return inner.map { (member.key, $0) }
            }
            return .object(JSONObject(members))
        case (.array(var elements), .index(let index)):
            let inner = replace(elements[index], steps.dropFirst(), by: new)
            elements[index...index] = inner.map { [$0] } ?? []
            return .array(elements)
        default: return value
        }
    }
}
