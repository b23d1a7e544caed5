import JSON
import Model
import System

/// Where an item's id is found in what the API sends, and how it is made of that.
public struct IDSource: Equatable, Sendable {
    /// The place of the id, or of the parts that `join` puts together.
    public let from: PerOperation<[JSONSelector]>
    /// What stands between the parts; nil where there is one alone.
    public let join: String?
    /// What cuts the id out of a text; nil where the text is the id.
    public let match: IDPattern?
    /// Whether the id is a hash of what stands there.
    public let isHash: Bool

    /// An id that stands there.
    public init(
        from: PerOperation<[JSONSelector]>, join: String? = nil, match: IDPattern? = nil, isHash: Bool = false
    ) {
        self.from = from
        self.join = join
        self.match = match
        self.isHash = isHash
    }

    /// The id of an item.
    ///
    /// - Parameters:
    ///   - key: the key under which the item itself stands.
    ///   - fault: makes the error of what is expected at a selector, and what stands there.
    /// - Throws: what `fault` makes, where there is no id.
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
                    "a text without \"\(join)\", which joins the parts of the id", selector,
                    selector.select(in: view, key: key))
            }
            parts.append(text)
        }
        let text = parts.joined(separator: join)
        return isHash ? Self.hash(.string(text)) : text
    }

    /// The field whose value is the id, whichever of these operations an item came by; nil where none is known to be.
    ///
    /// - Parameters:
    ///   - fields: the declared ones; nil where all are let through.
    ///   - isDerived: whether a field `id` shows the id where the API's item has none.
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
        if let match { return "a text such as \"\(match.text)\"" }
        return type == .integer ? "an integer" : "a string"
    }

    /// 128 bits of the value's hash in hexadecimal digits, whatever the order of its members.
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
