import JSON
import Model
import System

/// The source of an item's id in the API's response: which values are selected, and how Larder builds the id from these
/// values.
public struct IDSource: Equatable, Sendable {
    /// The selectors of the values that form the id: one selector, or several selectors if `join` is set. Each
    /// operation can have its own selectors.
    public let from: PerOperation<[JSONSelector]>
    /// The separator between the joined values, such as `/`; nil if the id is a single value.
    public let join: String?
    /// The pattern that extracts the id from the selected string; nil if the whole string is the id.
    public let match: IDPattern?
    /// Whether the id is the hash of the selected value.
    public let isHash: Bool

    public init(
        from: PerOperation<[JSONSelector]>, join: String? = nil, match: IDPattern? = nil, isHash: Bool = false
    ) {
        self.from = from
        self.join = join
        self.match = match
        self.isHash = isHash
    }

    /// Returns the id of an item.
    ///
    /// - Parameters:
    ///   - view: the API's item.
    ///   - key: the item's key in the object that contains it; nil for an element of an array.
    ///   - type: the type of ids.
    ///   - operation: the operation that fetched the item.
    ///   - fault: returns the error to throw if the value at a selector is missing or invalid.
    /// - Throws: the error that `fault` returns if the item has no valid id.
    public func id(
        of view: JSONView, key: JSONView?, as type: IDType, in operation: OperationName,
        fault: (_ expected: String, _ at: JSONSelector, _ found: JSONView?) -> APIError
    ) throws(APIError) -> String {
        let selectors = from[operation]
        func part(_ selector: JSONSelector, _ expected: String, _ read: (JSONView) -> String?) throws(APIError)
            -> String
        {
            let found = selector.select(in: view, key: key)
            guard let found, !found.isNull, let text = read(found) else { throw fault(expected, selector, found) }
            return text
        }
        guard let join else {
            return try part(selectors[0], expected(type)) { found in
                if isHash { return Self.hash(JSONValue(found)) }
                if let match, let text = found.string { return match.id(in: text, as: type) }
                return type.canonical(found)
            }
        }
        var parts: [String] = []
        for selector in selectors {
            let text = try part(selector, "a string") { IDType.string.canonical($0) }
            guard text.firstRange(of: join) == nil else {
                throw fault(
                    "a string without \"\(join)\", the separator of the id's parts", selector,
                    selector.select(in: view, key: key))
            }
            parts.append(text)
        }
        let text = parts.joined(separator: join)
        return isHash ? Self.hash(.string(text)) : text
    }

    /// Returns the name of the field that contains the id in the results of all given operations. Nil if these
    /// operations have no common id field.
    ///
    /// - Parameters:
    ///   - fields: the declared fields; nil if the resource keeps all fields of the API.
    ///   - isDerived: whether Larder adds the field `id` to items without a member `id`.
    func field(among fields: [FieldDefinition]?, in operations: [OperationName], isDerived: Bool) -> String? {
        func isID(_ selector: JSONSelector, in operation: OperationName) -> Bool {
            join == nil && match == nil && !isHash && from[operation] == [selector]
        }
        guard let fields else {
            guard let name = from[operations.first ?? .get].first?.onlyMember else { return nil }
            return operations.allSatisfy { isID(JSONSelector(field: name), in: $0) } ? name : nil
        }
        let shown = fields.filter { field in
            field.type.showsIDs && operations.allSatisfy { isID(field.from[$0], in: $0) }
        }
        if let field = shown.first(where: { $0.name == "id" }) ?? shown.first { return field.name }
        let own = fields.first { $0.name == "id" && !$0.hasOwnSelector && $0.type.showsIDs }
        return isDerived ? own?.name : nil
    }

    private func expected(_ type: IDType) -> String {
        if isHash { return "a value" }
        if let match { return "a string such as \"\(match.text)\"" }
        return type == .integer ? "an integer" : "a string"
    }

    /// Returns the first 128 bits of the value's SHA-256 hash as hexadecimal digits. Objects that differ only in the
    /// order of their members have the same hash.
    private static func hash(_ value: JSONValue) -> String {
        SHA256.hash(Array(sorted(value).text.utf8)).prefix(16).reduce(into: "") { digits, byte in
            digits += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { ($0.key, sorted($0.value)) }.sorted {
                        $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
                    }))
        case .array(let elements): .array(elements.map { sorted($0) })
        default: value
        }
    }
}
