import JSON

/// A GraphQL schema from introspection (October 2021 specification, section 4).
struct GraphQLSchema {
    /// The introspection query. It requests only the properties that a draft needs, and follows at most two nested
    /// lists in the type of a field.
    static let query = """
        query Introspection { __schema { queryType { name } types { kind name \
        fields { name args { name defaultValue type { ...Reference } } type { ...Reference } } \
        possibleTypes { name } inputFields { name defaultValue type { ...Reference } } enumValues { name } } } } \
        fragment Reference on __Type { kind name ofType { kind name ofType { kind name ofType { kind name \
        ofType { kind name ofType { kind name } } } } } }
        """

    /// A type that the schema defines.
    ///
    /// A class rather than a struct, because copying structs would make the program larger.
    final class Definition {
        let kind: String
        let name: String
        var fields: [Field] = []
        var inputs: [Input] = []
        var values: [String] = []
        /// For a union, the names of its member types. For an interface, the names of the object types that implement
        /// it. Otherwise empty.
        var members: [String] = []

        init(kind: String, name: String) { (self.kind, self.name) = (kind, name) }

        func field(_ name: String) -> Field? { fields.first { $0.name == name } }
        /// Whether the type is a scalar or an enumeration. A field of this type has no subfields to select.
        var isLeaf: Bool { kind == "SCALAR" || kind == "ENUM" }
        var isObject: Bool { kind == "OBJECT" || kind == "INTERFACE" }
    }

    final class Field {
        let name: String
        let arguments: [Input]
        let type: Reference

        init(name: String, arguments: [Input], type: Reference) {
            (self.name, self.arguments, self.type) = (name, arguments, type)
        }
    }

    /// An argument of a field, or a field of an input object.
    final class Input {
        let name: String
        let type: Reference
        let hasDefault: Bool

        init(name: String, type: Reference, hasDefault: Bool) {
            (self.name, self.type, self.hasDefault) = (name, type, hasDefault)
        }

        var isRequired: Bool { type.isRequired && !hasDefault }
    }

    /// A reference to a type in the schema, with its list and non-null modifiers, such as `[ID!]!`.
    indirect enum Reference {
        case named(String)
        case list(Reference)
        case required(Reference)

        var isRequired: Bool { if case .required = self { true } else { false } }

        /// The referenced type without its outer non-null modifier.
        var plain: Reference { if case .required(let inner) = self { inner } else { self } }

        /// The type of the list's elements; nil if the type is not a list.
        var element: Reference? { if case .list(let inner) = plain { inner } else { nil } }

        /// The name of the type inside all modifiers: `ID` for `[ID!]!`.
        var name: String {
            switch self {
            case .named(let name): name
            case .list(let inner), .required(let inner): inner.name
            }
        }

        /// The type in GraphQL notation, such as `[ID!]!`.
        var text: String {
            switch self {
            case .named(let name): name
            case .list(let inner): "[\(inner.text)]"
            case .required(let inner): "\(inner.text)!"
            }
        }
    }

    let root: String
    private(set) var types: [String: Definition] = [:]

    /// Reads the schema from the answer to an introspection query. Nil if the answer contains no schema.
    ///
    /// - Throws: `CatalogDraftError` if the name of a type is not valid in a GraphQL document.
    init?(_ answer: JSONView) throws(CatalogDraftError) {
        guard let schema = answer["data"]?["__schema"], let root = schema["queryType"]?["name"]?.string,
            let types = schema["types"], types.kind == .array
        else { return nil }
        self.root = root
        for view in types.elements {
            guard let name = Self.name(view), let kind = view["kind"]?.string else { continue }
            let type = Definition(kind: kind, name: name)
            var seen: Set<String> = []
            for field in view["fields"]?.elements.map({ $0 }) ?? [] {
                guard let name = Self.name(field), let reference = try Reference(field["type"]),
                    seen.insert(name).inserted
                else { continue }
                type.fields.append(Field(name: name, arguments: try Self.inputs(field["args"]), type: reference))
            }
            type.inputs = try Self.inputs(view["inputFields"])
            type.values = Self.names(view["enumValues"])
            type.members = Self.names(view["possibleTypes"])
            self.types[name] = type
        }
    }

    func type(_ reference: Reference) -> Definition? { types[reference.name] }

    /// The names of the API's own object types and interfaces, sorted.
    var objects: [String] {
        types.values.filter { $0.isObject && !$0.name.hasPrefix("__") && $0.name != root }.map(\.name).sorted()
    }

    private static func inputs(_ view: JSONView?) throws(CatalogDraftError) -> [Input] {
        var inputs: [Input] = []
        var seen: Set<String> = []
        for input in view?.elements.map({ $0 }) ?? [] {
            guard let name = name(input), let type = try Reference(input["type"]), seen.insert(name).inserted else {
                continue
            }
            inputs.append(Input(name: name, type: type, hasDefault: input["defaultValue"]?.string != nil))
        }
        return inputs
    }

    /// Returns the valid GraphQL names in an array, without duplicates.
    private static func names(_ view: JSONView?) -> [String] {
        var seen: Set<String> = []
        return view?.elements.compactMap { name($0) }.filter { seen.insert($0).inserted } ?? []
    }

    /// Returns the name of a type, field or argument; nil if it is not a valid GraphQL name.
    fileprivate static func name(_ view: JSONView) -> String? {
        guard let name = view["name"]?.string(atMost: 201), name.utf8.count <= 200, name.first?.isNumber == false,
            name.utf8.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            })
        else { return nil }
        return name
    }
}

extension GraphQLSchema.Reference {
    /// Reads a type reference. Nil if the reference is missing, or if its type is nested deeper than the introspection
    /// query requests.
    ///
    /// - Throws: `CatalogDraftError` if the name of the type is invalid.
    init?(_ view: JSONView?) throws(CatalogDraftError) {
        guard let view, let kind = view["kind"]?.string else { return nil }
        switch kind {
        case "NON_NULL", "LIST":
            guard let inner = try GraphQLSchema.Reference(view["ofType"]) else { return nil }
            self = kind == "LIST" ? .list(inner) : .required(inner)
        default:
            if view["name"]?.string == nil { return nil }
            // The error does not show the name, because the API chose it.
            guard let name = GraphQLSchema.name(view) else {
                throw CatalogDraftError(
                    "the endpoint returned an invalid GraphQL schema: a type name has characters other than"
                        + " letters, digits and '_', or starts with a digit; report this to the API's provider")
            }
            self = .named(name)
        }
    }
}
