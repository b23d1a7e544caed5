import JSON

/// A `post` that may list items, because its path ends with a word such as `search`. The request body selects and
/// filters the items.
struct OpenAPIPostList {
    /// Words at the end of a path, such as `search`. A `post` to such a path only reads data.
    private static let words: Set<String> = ["filter", "search", "query"]
    /// The names of body members that can contain the pagination parameters.
    private static let pages: Set<String> = ["page", "paging", "pagination"]
    /// The maximum number of members that are read from a body.
    private static let maxMembers = 200

    let operation: OpenAPIOperation

    /// Reads the `post` operation of a path. Returns nil if the path has no `post`, or if the path does not end with a
    /// word such as `search`. Also returns nil if the request body is not a JSON object.
    init?(_ text: String, _ item: JSONView, document: OpenAPIDocument, schemas: OpenAPISchemas) {
        guard let declared = item["post"], let post = document.resolve(declared), post.kind == .object,
            let path = OpenAPIPath(text), let last = path.segments.last, last.parameter == nil,
            Self.words.contains(DraftNames.normalized(last.prefix)),
            let body = Self.members(of: post, document: document, schemas: schemas)
        else { return nil }
        operation = OpenAPIOperation(path: path, item: item, view: post, document: document, body: body)
    }

    /// Returns the members of a body; empty if there is no body, nil if the body is not a JSON object.
    private static func members(
        of post: JSONView, document: OpenAPIDocument, schemas: OpenAPISchemas
    ) -> [OpenAPIParameter]? {
        guard let declared = post["requestBody"] else { return [] }
        guard let body = document.resolve(declared), let content = body["content"] else { return nil }
        let media = content.members.first { ($0.key.string ?? "").lowercased().contains("json") }
        guard let schema = media.flatMap({ document.resolve($0.value)?["schema"] }), schemas.fault(of: schema) == nil
        else { return nil }
        let flat = schemas.widest(schema)
        guard flat.isObject || flat.kind == nil else { return nil }
        return flat.properties.prefix(maxMembers).flatMap { name, view -> [OpenAPIParameter] in
            guard !name.isEmpty, !name.contains(".") else { return [] }
            let inner = schemas.widest(view)
            if pages.contains(DraftNames.normalized(name)), inner.isObject {
                return inner.properties.prefix(maxMembers).filter { !$0.name.contains(".") }.map { member, view in
                    OpenAPIParameter(
                        name: "\(name).\(member)", memberOfBody: view,
                        isRequired: flat.required.contains(name) && inner.required.contains(member), document)
                }
            }
            return [
                OpenAPIParameter(
                    name: name, memberOfBody: view, isRequired: flat.required.contains(name), document)
            ]
        }
    }
}
