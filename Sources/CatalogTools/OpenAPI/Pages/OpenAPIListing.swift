import JSON

/// The items and the pagination in the answer of an operation. An operation that is not a list has no items.
struct OpenAPIListing {
    let items: OpenAPIAnswers.Items?
    var pages: OpenAPIPagination.Draft
    /// The values in the answer that are not items, such as a page count.
    let scalars: [AnswerScalar]
    /// Whether the OpenAPI document describes the operation's answer.
    let isDescribed: Bool
    let isArray: Bool

    /// Whether an operation is a list although its path ends with a parameter. The parameter then belongs to the scope.
    var isListOfParameter: Bool { isArray || (items?.areIDs == false && !pages.lines.isEmpty) }
}

/// The items and the pagination in the answers of all operations. They are determined once and then stored.
struct OpenAPIListings {
    /// The number of lists that must have the same pagination before this pagination is copied to lists that declare
    /// none.
    private static let minCommon = 3

    let document: OpenAPIDocument
    let schemas: OpenAPISchemas
    let answers: OpenAPIAnswers
    private var known: [String: OpenAPIListing] = [:]
    /// The path patterns of Kubernetes objects that belong to a namespace. The patterns do not contain the namespace.
    private var namespaced: Set<String> = []

    init(document: OpenAPIDocument, schemas: OpenAPISchemas, answers: OpenAPIAnswers, _ operations: [OpenAPIOperation])
    {
        (self.document, self.schemas, self.answers) = (document, schemas, answers)
        for operation in operations {
            known[operation.path.text] = listing(operation)
            if let range = operation.path.pattern.firstRange(of: "namespaces/{}/") {
                namespaced.insert(
                    String(operation.path.pattern[..<range.lowerBound] + operation.path.pattern[range.upperBound...]))
            }
        }
        fill(operations)
    }

    /// Whether a list returns Kubernetes objects that belong to no namespace. This is true if both conditions hold:
    /// * The document contains paths with a namespace, but no such path for this list.
    /// * The operation id does not mention namespaces.
    func isClusterScoped(_ operation: OpenAPIOperation) -> Bool {
        guard !namespaced.isEmpty, !namespaced.contains(operation.path.pattern) else { return false }
        guard let name = operation.view["operationId"]?.string(atMost: 400) else { return true }
        return !name.contains("AllNamespaces") && !name.contains("Namespaced")
    }

    /// Whether the document describes the answer of at least one operation.
    var isAnyDescribed: Bool { known.values.contains { $0.isDescribed } }

    /// Returns the items and the pagination that the document describes for an operation's answer.
    func of(_ operation: OpenAPIOperation) -> OpenAPIListing? { known[operation.path.text] }

    private func listing(_ operation: OpenAPIOperation) -> OpenAPIListing {
        let flat = operation.answer.map { schemas.flat($0) }
        let query = operation.pageParameters(schemas)
        let isPaged = query.contains { PaginationVocabulary.isPosition($0.plain) }
        var items = operation.answer.flatMap { answers.items(in: $0, of: operation.words.first ?? "") }
        // An object that contains an id and an array is an item, as in the answer of `/releases/latest`.
        if let flat, let found = items, !found.path.isEmpty, !isPaged,
            let id = flat.property("id"), schemas.idType(of: id, nil) != nil
        {
            items = nil
        }
        let scalars = operation.answer.map { answers.scalars(in: $0, besides: items?.path ?? []) } ?? []
        let isArray = flat?.kind == "array"
        let relation = operation.answer.flatMap { answers.nextRelation(in: $0, besides: items?.path ?? []) }
        let pages = OpenAPIPagination(
            operation: operation, query: query, scalars: scalars, relation: relation, isArray: isArray
        ).draft()
        return OpenAPIListing(
            items: items, pages: pages, scalars: scalars, isDescribed: operation.answer != nil, isArray: isArray)
    }

    /// Copies the most common pagination of the API to lists without a declared pagination. A list gets this pagination
    /// only if it has the same page parameter.
    private mutating func fill(_ operations: [OpenAPIOperation]) {
        var counts: [String: (count: Int, lines: [DraftLine])] = [:]
        var total = 0
        for operation in operations where !operation.isPost {
            guard let pages = known[operation.path.text]?.pages, pages.param != nil else { continue }
            let lines = pages.lines.filter { line in ["style", "param", "next", "first"].contains { line.isMember($0) }
            }
            counts["\(lines)", default: (0, lines)].count += 1
            total += 1
        }
        guard let common = counts.values.max(by: { $0.count < $1.count }), common.count >= Self.minCommon,
            common.count * 2 > total
        else { return }
        for operation in operations where !operation.isPost {
            guard let listing = known[operation.path.text], listing.pages.lines.isEmpty,
                listing.items != nil || !listing.isDescribed
            else { continue }
            known[operation.path.text]?.pages = OpenAPIPagination(
                operation: operation, query: operation.pageParameters(schemas), scalars: listing.scalars,
                isArray: listing.isArray
            ).draft(orAsElsewhere: common.lines)
        }
    }
}

extension OpenAPIOperation {
    /// Returns the parameters that may select a page: the query parameters, with each object replaced by its members.
    /// If the body of a `post` selects the page, returns the members of the body instead.
    func pageParameters(_ schemas: OpenAPISchemas) -> [OpenAPIParameter] {
        let body = parameters.filter { $0.place == "body" }
        if body.contains(where: { PaginationVocabulary.isPosition($0.plain) }) { return body }
        return parameters.filter { $0.place == "query" }.flatMap { $0.members(schemas) }
    }
}

extension OpenAPIParameter {
    /// Returns the members of an object parameter, with their names in the query. Returns any other parameter
    /// unchanged.
    func members(_ schemas: OpenAPISchemas) -> [OpenAPIParameter] {
        guard place == "query" else { return [self] }
        let isDeep = view["style"]?.isString("deepObject") == true
        guard let schema, isDeep || view["explode"]?.bool != false else { return [self] }
        let flat = schemas.widest(schema)
        guard flat.isObject, !flat.properties.isEmpty else { return [self] }
        return flat.properties.map { member, view in
            OpenAPIParameter(name: isDeep ? "\(name)[\(member)]" : member, memberOfQuery: view)
        }
    }
}
