import JSON
import Model
import System

/// Drafts a resource from a type in a GraphQL schema. Finds the fields of the schema that return one item, several
/// items or a list of this type.
struct GraphQLDraft {
    let api: String
    let url: InferredURL
    let type: String

    /// A field that returns the type. The field belongs to the query root, or to an object that a field of the query
    /// root returns.
    struct FieldRoute {
        let parent: GraphQLSchema.Field?
        let field: GraphQLSchema.Field
    }

    /// Drafts the resource.
    ///
    /// - Parameter root: the endpoint's answer to `GraphQLSchema.query`.
    /// - Throws: `CatalogDraftError` if the answer contains no schema, or if no resource can be drafted from the type.
    func draft(_ root: JSONView, _ redactor: Redactor) throws(CatalogDraftError) -> ResourceDraft {
        guard let schema = try GraphQLSchema(root) else {
            let words = root["errors"]?.elements.lazy.compactMap { $0["message"]?.string }.first { _ in true }
            let why = words.map { ": \(redactor.redact($0).prefix(300))" } ?? ""
            throw CatalogDraftError("the endpoint returned no schema; introspection may be disabled\(why)")
        }
        let objects = schema.objects
        let named = objects.first { $0 == type } ?? objects.first { $0.lowercased() == type.lowercased() }
        guard let definition = named.flatMap({ schema.types[$0] }) else {
            let near = Spelling.nearest(to: type, in: objects).map { "; did you mean '\($0)'?" }
            let some = "; its types include \(objects.prefix(20).joined(separator: ", "))"
            throw CatalogDraftError("the schema has no object type '\(type)'\(near ?? some)")
        }
        let selection = GraphQLSelection(schema: schema)
        let (text, fields, left) = selection.select(definition)
        guard
            let key = ["id", "key", "slug", "number", "name", "login", "code"].first(where: { name in
                definition.field(name).map { schema.type($0.type)?.isLeaf == true && $0.type.element == nil } ?? false
            })
        else { throw CatalogDraftError("'\(definition.name)' has no field that can be its id") }
        let isNumber = definition.field(key).map { schema.type($0.type)?.name == "Int" } ?? false
        let name = DraftNames.resource(definition.name.prefix(1).lowercased() + definition.name.dropFirst()) ?? "item"
        var draft = ResourceDraft(
            name: name, api: api,
            id: ResourceDraft.ID(
                type: isNumber ? "integer" : "string", from: [key],
                note: key == "id" ? nil : "a guess based on the name"),
            fields: fields)
        draft.transport = "graphql"
        draft.path = url.declaredPath
        draft.comments = ["GraphQL type \(definition.name)"]
        var builder = GraphQLOperations(
            schema: schema, selection: selection, target: definition, fields: text, key: key)
        builder.build()
        guard builder.get != nil || builder.list != nil else {
            throw CatalogDraftError(
                "no field of the schema's root type, or one level below, returns '\(definition.name)'")
        }
        draft.scope = builder.scope
        draft.get = builder.get
        draft.many = builder.many
        draft.list = builder.list
        draft.remarks = builder.remarks
        if !left.isEmpty {
            draft.remarks.append(
                "not selected, because of pages, required arguments or depth: \(left.joined(separator: ", "))")
        }
        return draft
    }
}
