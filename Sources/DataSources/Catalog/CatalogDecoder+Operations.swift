import JSON

/// The `rest` and `graphql` operations of a resource.
extension CatalogDecoder {
    private static let operationNames = ["get", "getMany", "list"]
    /// Asked for at once where the catalog does not say.
    private static let defaultMaxIDs = 50

    mutating func decodeREST(_ view: JSONView, of resource: CatalogObject) -> RESTOperations? {
        guard let object = object(view, "'rest' of \(resource.what)", keys: Self.operationNames) else { return nil }
        requireOperation(in: object)
        let get = object["get"].flatMap {
            decodeRESTOperation($0, "'get' of \(resource.what)", ["item"], placeholder: "id")
        }
        let getMany = object["getMany"].flatMap {
            decodeRESTOperation($0, "'getMany' of \(resource.what)", ["items", "maxIDs"], placeholder: "ids")
        }
        let list = object["list"].flatMap {
            decodeRESTOperation($0, "'list' of \(resource.what)", Self.listKeys, placeholder: nil)
        }
        return RESTOperations(get: get, getMany: getMany, list: list)
    }

    mutating func decodeGraphQL(_ view: JSONView, of resource: CatalogObject) -> GraphQLOperations? {
        guard let object = object(view, "'graphql' of \(resource.what)", keys: ["path"] + Self.operationNames) else {
            return nil
        }
        requireOperation(in: object)
        let path = decodePath(in: object, placeholder: nil, default: "/graphql")
        let get = object["get"].flatMap { decodeGraphQLOperation($0, "'get' of \(resource.what)", ["item"]) }
        let getMany = object["getMany"].flatMap {
            decodeGraphQLOperation($0, "'getMany' of \(resource.what)", ["items", "maxIDs"])
        }
        let list = object["list"].flatMap { decodeGraphQLOperation($0, "'list' of \(resource.what)", Self.listKeys) }
        return path.map { GraphQLOperations(path: $0.text, get: get, getMany: getMany, list: list) }
    }

    private static let listKeys = ["items", "filters", "pagination", "emptyOnNotFound", "complete"]

    private mutating func requireOperation(in object: CatalogObject) {
        if !Self.operationNames.contains(where: { object[$0] != nil }) {
            fault("\(object.what) needs one of 'get', 'getMany' and 'list'", at: object.view)
        }
    }

    private mutating func decodeRESTOperation(
        _ view: JSONView, _ what: String, _ keys: [String], placeholder: String?
    ) -> RESTOperation? {
        guard let object = object(view, what, keys: ["path", "query", "headers"] + keys) else { return nil }
        let path = decodePath(in: object, placeholder: placeholder, default: nil)
        let query = texts("query", in: object).map { QueryItem($0.name, $0.value) }
        let headers = decodeHeaders(in: object)
        let item = selector("item", in: object)
        let list = decodeList(in: object)
        let maxIDs = decodeMaxIDs(in: object)
        guard let path else { return nil }
        return RESTOperation(
            path: path, query: query, headers: headers, item: item ?? .whole, list: list, maxIDs: maxIDs)
    }

    private mutating func decodeGraphQLOperation(
        _ view: JSONView, _ what: String, _ keys: [String]
    ) -> GraphQLOperationDefinition? {
        guard let object = object(view, what, keys: ["query"] + keys) else { return nil }
        _ = required("query", in: object)
        let query = value("query", in: object, "a GraphQL document") {
            $0.string.flatMap { $0.contains("{") ? $0 : nil }
        }
        let item = selector("item", in: object)
        let list = decodeList(in: object)
        let maxIDs = decodeMaxIDs(in: object)
        return query.map { GraphQLOperationDefinition(query: $0, item: item ?? .whole, list: list, maxIDs: maxIDs) }
    }

    private mutating func decodePath(
        in object: CatalogObject, placeholder: String?, default standard: String?
    ) -> PathTemplate? {
        guard let view = standard == nil ? required("path", in: object) : object["path"] else {
            return standard.flatMap { try? PathTemplate.parse($0).get() }
        }
        guard let text = view.string else {
            fault("'path' must be a string", at: view)
            return nil
        }
        switch PathTemplate.parse(text) {
        case .failure(let reason): fault("'path' \(reason.message)", at: view)
        case .success(let path) where path.placeholder == placeholder: return path
        case .success:
            fault(
                placeholder.map { "'path' of \(object.what) needs the placeholder '{\($0)}'" }
                    ?? "'path' of \(object.what) takes no placeholder", at: view)
        }
        return nil
    }

    private mutating func decodeMaxIDs(in object: CatalogObject) -> Int {
        value("maxIDs", in: object, "a number from 1 to 10000") { range($0.integer, 1...10_000) } ?? Self.defaultMaxIDs
    }

    private mutating func decodeList(in object: CatalogObject) -> ListDefinition {
        var list = ListDefinition()
        list.items = selector("items", in: object) ?? .whole
        list.filters = texts("filters", in: object).map { ListDefinition.Filter(name: $0.name, parameter: $0.value) }
        list.pagination = object["pagination"].flatMap { decodePagination($0, of: object) }
        list.emptyOnNotFound = flag("emptyOnNotFound", in: object) ?? false
        list.isComplete = flag("complete", in: object) ?? true
        return list
    }

    private mutating func decodePagination(_ view: JSONView, of list: CatalogObject) -> PagePagination? {
        guard let object = object(view, "'pagination' in \(list.what)", keys: ["style", "param", "pages", "count"])
        else {
            return nil
        }
        guard let style = required("style", in: object) else { return nil }
        guard style.isString("page") else {
            fault("'style' must be \"page\"", at: style)
            return nil
        }
        let parameter = requiredText("param", in: object)
        let pages = selector("pages", in: object)
        let count = selector("count", in: object)
        return parameter.map { PagePagination(parameter: $0, pages: pages, count: count) }
    }
}
