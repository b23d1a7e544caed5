import Model
import Protocol

/// The JSON Schemas of successful tool answers. The schemas do not declare the fields of items. Otherwise, clients
/// would reject an item with an undeclared field.
///
/// The keyword `type` never has several values, because some validators reject an array of types.
enum ToolAnswerSchemas {
    /// The schema of `get_item` answers: one item, or several items.
    static let items = JSONSchema.openObject(
        [
            .optional("item", .object), .optional("items", list), .optional("missing", ids), .optional("omitted", ids),
            .optional("hint", .string), .optional("sources", .map(of: .integer)),
        ] + origin)

    /// The schema of `list_items` answers: a page of items.
    static let page = JSONSchema.openObject(
        [
            .required("items", list), .required("page", pageInfo), .optional("skipped", list),
            .optional("missing", ids),
        ] + origin)

    static let search = JSONSchema.openObject([
        .required("items", list), .required("count", .integer), .required("cached", .integer),
        .optional("hint", .string), .optional("age", .integer), .optional("nextOffset", .integer),
    ])

    static let prefetch = JSONSchema.openObject([
        .required("pages", .integer), .required("items", .integer), .required("fetched", .integer),
        .required("reused", .integer), .required("complete", .any(of: [.boolean, .null])),
    ])

    static let sync = JSONSchema.openObject([
        .required("mode", .string), .required("requests", .integer), .required("added", .integer),
        .required("changed", .integer), .required("removed", .integer), .optional("held", .integer),
        .required("items", .integer), .required("syncedAt", moment), .required("wholeAt", moment),
        .required("deletions", .string), .required("complete", .any(of: [.boolean, .null])),
    ])

    static let query = JSONSchema.openObject([
        .required("coverage", .string), .required("columns", .array(of: .string)),
        .required("rows", .array(of: .array(of: .any(of: [.string, .number, .null])))),
        .required("truncated", .boolean),
    ])

    static let description = JSONSchema.openObject([
        .required("resource", .string), .required("types", .string), .required("tools", .array(of: .string)),
        .optional("lists", .string), .optional("table", .string), .optional("uriTemplate", .string),
    ])

    private static let moment = JSONSchema.any(of: [.string, .null])
    private static let list = JSONSchema.array(of: .object)
    private static let ids = JSONSchema.array(of: .any(of: [.integer, .string]))
    private static let pageInfo = JSONSchema.openObject([
        .required("current", .any(of: [.integer, .string, .null])),
        .required("pages", .any(of: [.integer, .null])), .required("count", .any(of: [.integer, .null])),
        .required("next", .any(of: [.string, .null])), .required("previous", .any(of: [.string, .null])),
    ])
    /// The members of an answer that report the source and the age of the items.
    private static let origin: [JSONSchema.Member] = [
        .optional("source", .string), .optional("fetchedAt", .string), .optional("age", .integer),
        .optional("stale", .boolean), .optional("fallback", .object),
    ]
}
