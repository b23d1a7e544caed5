import JSON

/// What a document asks of a type, and the fields that come of it.
struct GraphQLSelection {
    private static let most = 80
    /// What tells an object from its like, where not all of it is wanted.
    private static let names = ["id", "name", "title", "key", "login", "slug", "number"]

    let schema: GraphQLSchema

    /// The selection of a type, without its braces, and its fields.
    func select(_ type: GraphQLSchema.Definition) -> (text: String, fields: [DraftField], left: [String]) {
        var (parts, fields, left) = ([String](), [DraftField](), [String]())
        for field in type.fields.prefix(Self.most) {
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
        guard type.kind == "OBJECT", type.field("pageInfo") == nil else { return nil }
        // Only leaves: a selection is two levels deep. Items of a list have only the fields that name them.
        let isList = field.type.element != nil
        var inner = type
        inner.fields = type.fields.filter { field in
            let isPlain = schema.type(field.type)?.isLeaf == true && field.type.element == nil
            return isPlain && (!isList || Self.names.contains(field.name))
        }
        let selected = select(inner)
        guard !selected.fields.isEmpty else { return nil }
        return ("\(field.name) { \(selected.text) }", wrapped(field.type, .object(selected.fields)))
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
        // What a scalar of an API's own looks like cannot be told.
        default: return .any
        }
    }

    /// The type that a filter, or a parent, of such an argument has; nil for an object.
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
