import JSON

/// The query parameter that contains the ids of several items. The parameter is required and has the name `ids` or
/// `id`.
struct OpenAPIManyIDs {
    let parameter: OpenAPIParameter

    /// Finds the query parameter that contains several ids. Nil if the operation does not fetch items by several ids.
    init?(_ operation: OpenAPIOperation) {
        guard !operation.isPost else { return nil }
        let found = operation.parameters.first { parameter in
            parameter.place == "query" && parameter.isRequired && ["ids", "id"].contains(parameter.plain)
                && (parameter.plain == "ids" || parameter.schema?["type"]?.isString("array") == true)
        }
        let isPaged = operation.parameters.contains { $0.place == "query" && PaginationVocabulary.isPosition($0.plain) }
        guard let found, !isPaged else { return nil }
        parameter = found
    }

    /// The maximum number of ids in a request; nil if the document does not declare it.
    var maxCount: Int? {
        let declared = parameter.schema?["maxItems"]?.integer ?? OpenAPIPagination.largest(in: parameter.description)
        return declared.flatMap { (1...1000).contains($0) ? $0 : nil }
    }

    /// Whether each id is sent as a separate parameter.
    var isRepeated: Bool {
        parameter.schema?["type"]?.isString("array") == true && parameter.view["explode"]?.bool != false
            && ["form", nil].contains(parameter.view["style"]?.string)
    }
}

/// Drafts the operations of a resource.
struct OpenAPIOperationLines {
    let document: OpenAPIDocument
    let schemas: OpenAPISchemas

    /// Returns the lines of the draft that declare `getMany`.
    func many(
        _ list: OpenAPIOperation, _ ids: OpenAPIManyIDs, _ parents: OpenAPIParents, _ items: OpenAPIAnswers.Items?,
        _ remarks: inout [String]
    ) -> [DraftLine] {
        let sent = OpenAPIParameters(document: document, schemas: schemas).constants(list)
        remarks += sent.remarks
        var lines: [DraftLine] = [.text("path", list.path.renamed(parents.names))]
        lines.append(.member("query", .object(sent.query + [.text(ids.parameter.name, "{ids}")])))
        if !sent.headers.isEmpty { lines.append(.member("headers", .object(sent.headers))) }
        if let items, !items.path.isEmpty { lines.append(.member("items", .selector(items.path), note: items.note)) }
        if ids.isRepeated { lines.append(.text("join", "repeat")) }
        if let count = ids.maxCount { lines.append(.member("maxIDs", .json(.integer(count)))) }
        return lines
    }

    /// Returns the lines of the draft that declare `get`.
    func get(
        _ get: OpenAPIOperation, _ names: [String: String], _ item: (path: [String], note: String?)?,
        _ parents: inout OpenAPIParents, _ remarks: inout [String]
    ) -> [DraftLine] {
        let parameters = OpenAPIParameters(document: document, schemas: schemas)
        let constants = parameters.constants(get)
        remarks += constants.remarks
        var query = constants.query
        for parameter in parameters.missing(in: get) {
            let name = parents.add(parameter)
            query.append(.text(parameter.name, "{\(name)}", note: "required"))
        }
        var lines: [DraftLine] = [.text("path", get.path.renamed(names))]
        if !query.isEmpty { lines.append(.member("query", .object(query))) }
        if !constants.headers.isEmpty { lines.append(.member("headers", .object(constants.headers))) }
        if let item, !item.path.isEmpty { lines.append(.member("item", .selector(item.path), note: item.note)) }
        return lines
    }

    /// Returns the lines of the draft that declare `list`.
    func list(
        _ list: OpenAPIOperation, _ parents: OpenAPIParents, _ listing: OpenAPIListing, isAnyDescribed: Bool,
        isComplete: Bool,
        _ draft: ResourceDraft, _ remarks: inout [String]
    ) -> [DraftLine] {
        var lines: [DraftLine] = [.text("path", list.path.renamed(parents.names))]
        if list.isPost { lines.append(.text("method", "POST")) }
        let (items, pages) = (listing.items, listing.pages)
        let asked = parents.asked.filter { name, _ in
            list.parameter(name, in: "query") != nil
        }
        let taken = pages.parameters.union(asked.keys)
        let sent = OpenAPIParameters(document: document, schemas: schemas).draft(list, besides: taken)
        let query =
            sent.query + asked.sorted { $0.key < $1.key }.map { .text($0.key, "{\($0.value)}", note: "required") }
        if !query.isEmpty { lines.append(.member("query", .object(query))) }
        if !sent.headers.isEmpty { lines.append(.member("headers", .object(sent.headers))) }
        if !sent.body.isEmpty { lines.append(.member("body", .object(sent.body))) }
        if let path = pages.items ?? items?.path {
            if !path.isEmpty {
                lines.append(.member("items", .selector(path), note: pages.items == nil ? items?.note : nil))
            }
        } else {
            // If the document describes no answer, the first lines of the draft already state this.
            let isReported = !isAnyDescribed
            lines.append(
                isReported
                    ? .comment("if the answer is not an array, add \"items\": \"...\"")
                    : .comment(
                        "the document does not describe the answer; if it is not an array, add \"items\": \"...\""))
        }
        if items?.areIDs == true { lines.append(.text("of", "ids", note: "the answer is an array of single values")) }
        if !sent.filters.isEmpty { lines.append(.member("filters", .object(sent.filters))) }
        if !pages.lines.isEmpty {
            let declared = pages.lines.map { line -> DraftLine in
                // The last item's id has the same selector as the id of every item.
                guard case .member("next", .object(let inner), let note) = line, inner == [.text("last", "id")] else {
                    return line
                }
                let steps = draft.id.listed ?? draft.id.from
                return .member("next", .object([.member("last", .selector(steps))]), note: note)
            }
            lines.append(.member("pagination", .object(declared), note: pages.note))
        } else {
            lines.append(.comment("found no pagination: the draft treats the answer as the whole list; check it"))
        }
        if !isComplete { lines.append(.flag("complete", false, note: "the items of the list lack some of the fields")) }
        remarks += pages.remarks + sent.remarks
        return lines
    }
}
