import JSON
import Model
import System

/// The output of a GraphQL import: a draft of selected types, or a table of the types to choose from.
public enum GraphQLChoice: Equatable, Sendable {
    /// A draft with one resource for each of the named types.
    case types([String])
    /// A table of the types that can become resources, instead of a draft.
    case table
}

/// Drafts resources from types in a GraphQL schema. For each type, finds the fields that return one item, the items
/// with given ids, or a list.
struct GraphQLDraft {
    private static let keys = ["id", "uid", "uuid", "", "key", "slug", "number", "name", "login", "code"]
    // The limits bound the work for a hostile schema.
    private static let (maxRows, maxTypes) = (500, 2_000)

    private let api: String
    private let url: InferredURL
    private let schema: GraphQLSchema
    private let routes: GraphQLRoutes

    /// A drafted resource, with the GraphQL fields that its operations use.
    private struct Row {
        let type: String
        let draft: ResourceDraft
        let listField: String
        let getField: String
    }

    /// Creates a draft from the introspection of a schema.
    ///
    /// - Parameter root: the endpoint's answer to `GraphQLSchema.query`.
    /// - Throws: `CatalogDraftError` if the answer contains no schema.
    init(api: String, url: InferredURL, _ root: JSONView, _ redactor: Redactor) throws(CatalogDraftError) {
        guard let schema = try GraphQLSchema(root) else {
            let words = root["errors"]?.elements.compactMap { $0["message"]?.string }.first
            let why = words.map { ": \(VisibleText.line(redactor.redact($0), limit: 300))" } ?? ""
            throw CatalogDraftError(
                "the GraphQL endpoint returned no schema\(why); check whether the endpoint allows introspection")
        }
        (self.api, self.url, self.schema, routes) = (api, url, schema, GraphQLRoutes(schema))
    }

    /// Drafts one resource for each of the given types.
    ///
    /// - Throws: `CatalogDraftError` if a type cannot be a resource.
    func drafts(_ types: [String]) throws(CatalogDraftError) -> [ResourceDraft] {
        let objects = schema.objects
        var drafts: [ResourceDraft] = []
        var seen: Set<String> = []
        for type in types {
            let named = objects.first { $0 == type } ?? objects.first { $0.lowercased() == type.lowercased() }
            guard let definition = named.flatMap({ schema.types[$0] }) else {
                let near = Spelling.nearest(to: type, in: objects).map { "; did you mean '\($0)'?" }
                let some = "; its types include \(objects.prefix(20).joined(separator: ", "))"
                throw CatalogDraftError(
                    "the schema has no object type '\(VisibleText.line(type, limit: 100))'\(near ?? some)")
            }
            guard seen.insert(definition.name).inserted else { continue }
            var draft = try row(definition).draft
            // The types `Cat` and `cat` would otherwise have the same name.
            while drafts.contains(where: { $0.name == draft.name }) { draft.name += "_2" }
            drafts.append(draft)
        }
        return drafts
    }

    /// Returns a table with one line for each type that can be a resource.
    ///
    /// - Throws: `CatalogDraftError` if no type can be a resource.
    func table() throws(CatalogDraftError) -> String {
        var rows: [Row] = []
        let names = schema.objects.filter { routes.has($0) }
        for name in names.prefix(Self.maxTypes) where rows.count < Self.maxRows {
            guard let type = schema.types[name], !GraphQLRoutes.isAuxiliary(type) else { continue }
            if let made = try? row(type) { rows.append(made) }
        }
        guard !rows.isEmpty else {
            throw CatalogDraftError("no type of the schema can be a resource; write the catalog by hand")
        }
        let cells = rows.map { row in
            [row.type, row.listField, row.getField] + CatalogImportSummary.cells(row.draft)
        }
        let table = CatalogImportSummary.aligned([["TYPE", "LIST", "ITEM", "PAGES", "ID", "SURE"]] + cells)
        let isWhole = rows.count < Self.maxRows && names.count <= Self.maxTypes
        return isWhole ? table : table + "The schema has more types: name one with --graphql.\n"
    }

    private func row(_ definition: GraphQLSchema.Definition) throws(CatalogDraftError) -> Row {
        let selection = GraphQLSelection(schema: schema)
        let (text, fields, left) = selection.select(definition)
        func leaf(_ name: String) -> GraphQLSchema.Field? {
            definition.fields.first { field in
                DraftNames.normalized(field.name) == name && field.type.element == nil
                    && !field.arguments.contains(where: \.isRequired) && schema.type(field.type)?.isLeaf == true
            }
        }
        let own = DraftNames.normalized(definition.name) + "id"
        let key = Self.keys.compactMap { leaf($0.isEmpty ? own : $0)?.name }.first
        var builder = GraphQLOperations(
            schema: schema, selection: selection, target: definition, fields: text, key: key)
        builder.build(routes)
        guard builder.get != nil || builder.list != nil else {
            throw CatalogDraftError(
                !routes.has(definition.name) || key != nil
                    ? "no query of the schema returns '\(definition.name)', directly or up to two levels down; choose"
                        + " another type"
                    : "'\(definition.name)' has no field that can be its id; choose another type")
        }
        let name = DraftNames.resource(definition.name.prefix(1).lowercased() + definition.name.dropFirst()) ?? "item"
        var id = ResourceDraft.ID(type: "string", from: [], note: "no field is an id: it is a hash of the item")
        if let key = builder.key {
            let isNumber = definition.field(key).map { schema.type($0.type)?.name == "Int" } ?? false
            let isSure = key == "id" || builder.get != nil && key != "name"
            id = ResourceDraft.ID(
                type: isNumber ? "integer" : "string", from: [key], note: isSure ? nil : "a guess based on the name")
        }
        var draft = ResourceDraft(name: name, api: api, id: id, fields: fields)
        draft.transport = "graphql"
        draft.path = url.declaredPath
        draft.comments = ["GraphQL type \(definition.name)"]
        (draft.scope, draft.get, draft.many, draft.list) = (builder.scope, builder.get, builder.many, builder.list)
        draft.remarks = builder.remarks
        if !left.isEmpty {
            draft.remarks.append(
                "left out of 'query', because these fields have pages or required arguments, or are nested too deeply: \(left.joined(separator: ", "))"
            )
        }
        return Row(type: definition.name, draft: draft, listField: builder.listField, getField: builder.getField)
    }
}
