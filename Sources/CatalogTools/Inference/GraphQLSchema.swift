import JSON

/// A GraphQL schema, as an endpoint tells it of itself (October 2021, section 4).
struct GraphQLSchema {
    /// Asks for what a draft needs of it. A type is at most a list of lists here.
    static let query = """
        query Introspection { __schema { queryType { name } types { kind name \
        fields { name args { name defaultValue type { ...Reference } } type { ...Reference } } \
        inputFields { name defaultValue type { ...Reference } } enumValues { name } } } } \
        fragment Reference on __Type { kind name ofType { kind name ofType { kind name ofType { kind name \
        ofType { kind name ofType { kind name } } } } } }
        """

    /// A type of the schema.
    struct Definition {
        let kind: String
        let name: String
        var fields: [Field] = []
        var inputs: [Input] = []
        var values: [String] = []

        func field(_ name: String) -> Field? { fields.first { $0.name == name } }
        /// Its value is written without a selection.
        var isLeaf: Bool { kind == "SCALAR" || kind == "ENUM" }
    }

    struct Field {
        let name: String
        let arguments: [Input]
        let type: Reference
    }

    /// An argument, or a field of an input object.
    struct Input {
        let name: String
        let type: Reference
        let hasDefault: Bool
        var isRequired: Bool { type.isRequired && !hasDefault }
    }

    /// A type with what is around it.
    indirect enum Reference {
        case named(String)
        case list(Reference)
        case required(Reference)

        var isRequired: Bool { if case .required = self { true } else { false } }

        /// The type without the mark that it is required.
        var plain: Reference { if case .required(let inner) = self { inner } else { self } }

        /// The elements' type, where it is a list.
        var element: Reference? { if case .list(let inner) = plain { inner } else { nil } }

        /// The name in the middle.
        var name: String {
            switch self {
            case .named(let name): name
            case .list(let inner), .required(let inner): inner.name
            }
        }

        /// As a document writes it.
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

    /// nil for what is no answer to the query.
    ///
    /// - Throws: what `Reference` does: each of them is written into documents.
    init?(_ answer: JSONView) throws(CatalogDraftError) {
        guard let schema = answer["data"]?["__schema"], let root = schema["queryType"]?["name"]?.string,
            let types = schema["types"], types.kind == .array
        else { return nil }
        self.root = root
        for view in types.elements {
            guard let name = Self.name(view), let kind = view["kind"]?.string else { continue }
            var type = Definition(kind: kind, name: name)
            for field in view["fields"]?.elements.map({ $0 }) ?? [] {
                guard let name = Self.name(field), let reference = try Reference(field["type"]) else { continue }
                type.fields.append(Field(name: name, arguments: try Self.inputs(field["args"]), type: reference))
            }
            type.inputs = try Self.inputs(view["inputFields"])
            type.values = view["enumValues"]?.elements.compactMap { Self.name($0) } ?? []
            self.types[name] = type
        }
    }

    func type(_ reference: Reference) -> Definition? { types[reference.name] }

    /// The names of the objects that an API has of its own.
    var objects: [String] {
        types.values.filter { $0.kind == "OBJECT" && !$0.name.hasPrefix("__") && $0.name != root }.map(\.name).sorted()
    }

    private static func inputs(_ view: JSONView?) throws(CatalogDraftError) -> [Input] {
        var inputs: [Input] = []
        for input in view?.elements.map({ $0 }) ?? [] {
            guard let name = name(input), let type = try Reference(input["type"]) else { continue }
            inputs.append(Input(name: name, type: type, hasDefault: input["defaultValue"]?.string != nil))
        }
        return inputs
    }

    /// A name that can stand in a document.
    fileprivate static func name(_ view: JSONView) -> String? {
        guard let name = view["name"]?.string, name.first?.isNumber == false,
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
    /// nil for what is no type, or deeper than was asked for.
    ///
    /// - Throws: `CatalogDraftError` for a type whose name could not stand in a document.
    init?(_ view: JSONView?) throws(CatalogDraftError) {
        guard let view, let kind = view["kind"]?.string else { return nil }
        switch kind {
        case "NON_NULL", "LIST":
            guard let inner = try GraphQLSchema.Reference(view["ofType"]) else { return nil }
            self = kind == "LIST" ? .list(inner) : .required(inner)
        default:
            if view["name"]?.string == nil { return nil }
            // The name is the API's choice: it is not shown.
            guard let name = GraphQLSchema.name(view) else {
                throw CatalogDraftError(
                    "the endpoint tells a schema that is none of GraphQL: the name of a type has other characters than"
                        + " letters, digits and '_', or begins with a digit")
            }
            self = .named(name)
        }
    }
}
