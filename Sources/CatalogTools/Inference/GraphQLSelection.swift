import JSON

/// Selects the fields of a GraphQL type, and converts them to the fields of a drafted resource.
struct GraphQLSelection {
    private static let maxFields = 80
    /// The maximum number of fields that are read from a nested object.
    private static let maxInner = 300
    /// The maximum number of members that are selected from a union.
    private static let maxMembers = 40
    /// The fields that are selected from each object in a list. These fields are sufficient to identify the object.
    private static let names = ["id", "name", "title", "key", "login", "slug", "number"]

    let schema: GraphQLSchema

    /// Selects the fields of a type. Returns the GraphQL selection without braces, the fields of the resource, and the
    /// names of the fields that were not selected.
    func select(_ type: GraphQLSchema.Definition) -> (text: String, fields: [DraftField], left: [String]) {
        var (parts, fields, left) = ([String](), [DraftField](), [String]())
        for field in type.fields.prefix(Self.maxFields) {
            guard let made = make(field) else {
                left.append(field.name)
                continue
            }
            parts.append(made.text)
            fields.append(DraftField(name: field.name, type: made.type))
        }
        return (parts.joined(separator: " "), fields, left)
    }

    private func make(_ field: GraphQLSchema.Field) -> (text: String, type: DraftType)? {
        guard let type = schema.type(field.type), !field.arguments.contains(where: \.isRequired) else { return nil }
        if type.isLeaf { return (field.name, wrapped(field.type, scalar(type))) }
        if type.kind == "UNION" { return union(type, field) }
        guard type.isObject, type.field("pageInfo") == nil else { return nil }
        // A selection is two levels deep, so only scalars and enumerations are selected here. Of objects in lists, only
        // the fields that identify an object are selected.
        let isList = field.type.element != nil
        let inner = GraphQLSchema.Definition(kind: type.kind, name: type.name)
        inner.fields = type.fields.prefix(Self.maxInner).filter { field in
            let isPlain = schema.type(field.type)?.isLeaf == true && field.type.element == nil
            return isPlain && (!isList || Self.names.contains(field.name))
        }
        let selected = select(inner)
        guard !selected.fields.isEmpty else { return nil }
        return ("\(field.name) { \(selected.text) }", wrapped(field.type, .object(selected.fields)))
    }

    /// Selects the type name and the identifying fields of each union member. Leaves out a field if its type is not the
    /// same in all members.
    private func union(
        _ type: GraphQLSchema.Definition, _ field: GraphQLSchema.Field
    ) -> (text: String, type: DraftType)? {
        let members = type.members.prefix(Self.maxMembers).compactMap { schema.types[$0] }
        var types: [String: GraphQLSchema.Reference] = [:]
        var left: Set<String> = []
        for field in members.flatMap(\.fields) where Self.names.contains(field.name) {
            let isLeaf = schema.type(field.type)?.isLeaf == true && field.type.element == nil
            if !isLeaf || field.arguments.contains(where: \.isRequired)
                || (types[field.name] ?? field.type).text != field.type.text
            {
                left.insert(field.name)
            }
            types[field.name] = field.type
        }
        var parts = ["__typename"]
        for member in members {
            let own = member.fields.filter { types[$0.name] != nil && !left.contains($0.name) }.map(\.name)
            if !own.isEmpty { parts.append("... on \(member.name) { \(own.joined(separator: " ")) }") }
        }
        let fields = Self.names.filter { types[$0] != nil && !left.contains($0) }.compactMap { name -> DraftField? in
            guard let reference = types[name], let leaf = schema.type(reference) else { return nil }
            return DraftField(name: name, type: DraftType(scalar(leaf), isOptional: true))
        }
        let shape = DraftType.Shape.object([DraftField(name: "__typename", type: DraftType(.string))] + fields)
        return ("\(field.name) { \(parts.joined(separator: " ")) }", wrapped(field.type, shape))
    }

    private func wrapped(_ reference: GraphQLSchema.Reference, _ shape: DraftType.Shape) -> DraftType {
        let shape = reference.element.map { DraftType.Shape.array(wrapped($0, shape)) } ?? shape
        return DraftType(shape, isOptional: !reference.isRequired)
    }

    private func scalar(_ type: GraphQLSchema.Definition) -> DraftType.Shape {
        if type.kind == "ENUM" { return .enumeration(type.values) }
        switch type.name {
        case "ID", "String": return .string
        case "Int": return .integer
        case "Float": return .number
        case "Boolean": return .boolean
        case "DateTime", "ISO8601DateTime", "Instant", "Timestamptz": return .date(unit: nil)
        // The format of a custom scalar is unknown.
        default: return .any
        }
    }

    /// Returns the catalog type for an argument that becomes a filter or a scope parameter. Nil if the argument is an
    /// object.
    func parameter(_ reference: GraphQLSchema.Reference) -> DraftValue? {
        guard let type = schema.type(reference), type.isLeaf else { return nil }
        let value: DraftValue =
            switch type.name {
            case "Int": .text("integer")
            case "Float": .text("number")
            case "Boolean": .text("boolean")
            case _ where type.kind == "ENUM" && (2...60).contains(type.values.count):
                .array(type.values.map { .text($0) })
            default: .text("string")
            }
        guard let element = reference.element else { return value }
        return element.element == nil ? .array([value]) : nil
    }
}
