import JSON

/// Decodes the operations of a resource from the value of its key `rest` or `graphql`.
struct OperationsDecoder {
    private static let restParts: [OperationName: CatalogPart] = [
        .get: .restGet, .getMany: .restGetMany, .list: .restList,
    ]
    private static let graphQLParts: [OperationName: CatalogPart] = [
        .get: .graphQLGet, .getMany: .graphQLGetMany, .list: .graphQLList,
    ]
    /// The maximum number of ids in one request if the catalog does not declare `maxIDs`.
    private static let defaultMaxIDs = 50

    let reader: CatalogReader
    /// The names of the resource's scope parameters, which requests can use as placeholders.
    let scope: [String]

    /// Decodes the REST operations of a resource. If the value is not an object, reports an error and returns nil.
    func rest(_ view: JSONView, of resource: CatalogObject) -> Operations<RESTTemplate>? {
        reader.object(view, "'rest' of \(resource.what)", .rest).map { object in
            operations(in: object, of: resource, Self.restParts, .restSync) {
                RESTDecoder(reader: reader, scope: scope).decode($0, ids: $1)
            } lay: { own, list in
                // Unlike the other keys, the query and the header fields are merged name by name.
                var template = own
                template.query = list.query.filter { one in !own.query.contains { $0.name == one.name } } + own.query
                // The names of header fields are compared without case (RFC 9110, section 5.1).
                let named = Set(own.headers.map { $0.name.lowercased() })
                template.headers = list.headers.filter { !named.contains($0.name.lowercased()) } + own.headers
                return template
            }
        }
    }

    /// Decodes the GraphQL operations of a resource and the path of the endpoint. Returns nil if the path is invalid.
    func graphQL(
        _ view: JSONView, of resource: CatalogObject
    ) -> (path: String, operations: Operations<GraphQLTemplate>)? {
        guard let object = reader.object(view, "'graphql' of \(resource.what)", .graphQL) else {
            return nil
        }
        let path =
            object["path"] == nil
            ? "/graphql" : RESTDecoder(reader: reader, scope: []).path(in: object, places: [])?.text
        let operations = self.operations(in: object, of: resource, Self.graphQLParts, .graphQLSync) { operation, _ in
            graphQLTemplate(operation)
        } lay: { own, _ in
            own
        }
        return path.map { ($0, operations) }
    }

    /// Decodes `get`, `getMany`, `list` and `sync`, for REST or for GraphQL.
    ///
    /// - Parameters:
    ///   - parts: the allowed keys of each operation.
    ///   - syncPart: the allowed keys of `sync`.
    ///   - template: decodes an operation's request. Its second argument is the required placeholder, such as `id`.
    ///   - lay: merges the requests of `sync` (first argument) and `list` (second argument) into one request.
    private func operations<Template: Equatable & Sendable>(
        in object: CatalogObject, of resource: CatalogObject, _ parts: [OperationName: CatalogPart],
        _ syncPart: CatalogPart, _ template: (CatalogObject, _ placeholder: String?) -> Template?,
        lay: (Template, Template) -> Template
    ) -> Operations<Template> {
        if !OperationName.allCases.contains(where: { object[$0.rawValue] != nil }) {
            reader.fault("\(object.what) needs one of 'get', 'getMany' and 'list'; add one of them", at: object.view)
        }
        func operation<Kind: Equatable & Sendable>(
            _ name: OperationName, _ placeholder: String?, _ kind: (CatalogObject) -> Kind
        ) -> Operation<Template, Kind>? {
            guard let view = object[name.rawValue], let part = parts[name],
                let object = reader.object(view, "'\(name.rawValue)' of \(resource.what)", part)
            else {
                return nil
            }
            let sent = template(object, placeholder)
            let read = kind(object)
            return sent.map { Operation(template: $0, kind: read) }
        }
        if let view = object["list"]?["hydrate"], view.bool == true, object["get"] == nil, object["getMany"] == nil {
            reader.fault(
                "'hydrate' needs 'get' or 'getMany' to fetch the items; add one of them, or remove 'hydrate'", at: view)
        }
        var operations = Operations<Template>(
            get: operation(.get, "id") { GetDefinition(item: $0.selector("item") ?? .whole) },
            getMany: operation(.getMany, "ids") { getMany($0) })
        let faults = reader.faults.count
        operations.list = operation(.list, nil) { list($0) }
        // If the list has a fault, `sync` is not decoded, because the faults of inherited keys would be reported twice.
        guard let sync = syncObject(in: object, of: resource, syncPart), let plain = operations.list,
            reader.faults.count == faults
        else { return operations }
        reader.inheritance = object["list"].map { (sync.view, $0) }
        let own: Template? = template(sync, nil)
        let read: ListDefinition = self.list(sync)
        reader.inheritance = nil
        guard let own else { return operations }
        let sent: Template = lay(own, plain.template)
        let sharesPages = sent == plain.template && read == plain.kind
        let decoder = SyncDecoder(reader: reader)
        if let definition = decoder.decode(sync, read, plain: plain.kind, sharesPages: sharesPages) {
            let initial = definition.token?.initialSelector.flatMap { _ in
                sync["initial"].flatMap { reader.object($0, "'initial' of \(sync.what)", .tokenRequest) }
            }
            if definition.elements.areIDs, operations.get == nil, operations.getMany == nil {
                reader.fault(
                    "\"of\": \"ids\" needs 'get' or 'getMany' to fetch the changed items; add one of them",
                    at: sync.view)
            }
            operations.sync = SyncOperation(
                template: sent, initial: initial.flatMap { template($0, nil) }, definition: definition)
        }
        return operations
    }

    /// Returns the object `sync`; nil if it is missing or invalid. Reports an error if `sync` is declared without
    /// `list`.
    private func syncObject(
        in object: CatalogObject, of resource: CatalogObject, _ part: CatalogPart
    ) -> CatalogObject? {
        guard let view = object["sync"] else { return nil }
        if object["list"] == nil {
            reader.fault("'sync' needs a list to copy; add 'list'", at: view)
        }
        return reader.object(view, "'sync' of \(resource.what)", part)
    }

    private func graphQLTemplate(_ object: CatalogObject) -> GraphQLTemplate? {
        object.required("query")
        let errors = ErrorRulesDecoder(reader: reader).decode(in: object)
        let query = object.value("query", "a GraphQL document") { view in
            view.string.flatMap { $0.contains("{") ? $0 : nil }
        }
        guard let query else { return nil }
        let name = operationName(object, of: GraphQLOutline(query).names)
        return GraphQLTemplate(query: query, operationName: name, errors: errors)
    }

    /// Decodes `operationName`. Reports an error if the key is missing and the document has several operations.
    private func operationName(_ object: CatalogObject, of names: [String?]) -> String? {
        let known = names.compactMap { $0 }
        guard object["operationName"] != nil else {
            if names.count > 1, let view = object["query"] {
                reader.fault(
                    "'query' has \(names.count) operations: \(object.what) needs 'operationName'", at: view)
            }
            return nil
        }
        let expected = known.isEmpty ? "left out: no operation of 'query' has a name" : Self.oneOf(known)
        return object.value("operationName", expected) { view in view.string.flatMap { known.contains($0) ? $0 : nil } }
    }

    private static func oneOf(_ names: [String]) -> String {
        "one of the operations of 'query': " + names.map { "'\($0)'" }.joined(separator: ", ")
    }

    private func getMany(_ object: CatalogObject) -> GetManyDefinition {
        GetManyDefinition(
            items: object.selector("items") ?? .whole,
            maxIDs: object.integer("maxIDs", in: 1...10_000) ?? Self.defaultMaxIDs)
    }

    private func list(_ object: CatalogObject) -> ListDefinition {
        var list = ListDefinition()
        list.items = object.selector("items") ?? .whole
        list.filters = object["filters"].map { ParametersDecoder(reader: reader).filters($0, of: object) } ?? []
        // Over GraphQL, `query` is the document.
        let isREST = object["query"]?.kind != .string
        list.sending = !isREST ? .variables : object["method"]?.isString("POST") == true ? .body : .query
        let decoder = PaginationDecoder(reader: reader, hasURLs: isREST)
        // Only `sync` replaces the pagination of another operation.
        let isNone = reader.inheritance != nil && object["pagination"]?.isString("none") == true
        if !isNone, let view = object["pagination"], let read = decoder.decode(view, of: object) {
            list.pagination = read
        }
        list.emptyOnNotFound = object.flag("emptyOnNotFound") ?? false
        list.isEmptyIfMissing = object.value("absent", "\"empty\"") { $0.isString("empty") ? true : nil } ?? false
        list.isOfIDs =
            object.value("of", "\"ids\" or \"items\"") {
                $0.isString("ids") ? true : $0.isString("items") ? false : nil
            } ?? false
        if list.isOfIDs, let view = object["complete"], view.bool == true {
            reader.fault("'complete' cannot be true: the list has only ids of items; remove 'complete'", at: view)
        }
        list.isHydrated = object.flag("hydrate") ?? false
        // Neither an id nor a partial item can answer a `get`.
        list.isComplete = list.isOfIDs || list.isHydrated ? false : object.flag("complete") ?? true
        return list
    }
}
