import JSON

/// Decodes the key `id` of a resource: the type of ids, and the selector of the id in an item.
struct IDDecoder {
    let reader: CatalogReader

    /// Decodes the type of a resource's ids and the source of an item's id. Returns nil if the declaration is invalid.
    /// `source` is nil if the catalog declares no source.
    func decode(in resource: CatalogObject) -> (type: IDType, source: IDSource?)? {
        guard let view = resource.required("id") else { return nil }
        guard view.kind == .object else {
            return resource.value("id", "\"integer\" or \"string\"", Self.type).map { ($0, nil) }
        }
        guard let object = reader.object(view, "'id' of \(resource.what)", .id) else { return nil }
        object.required("type")
        let type = object.value("type", "\"integer\" or \"string\"", Self.type)
        let join = object.value("join", "a non-empty string") { $0.string.flatMap { $0.isEmpty ? nil : $0 } }
        let match = object.value("match", "a pattern with one '{id}', such as \"*/{id}/\"") {
            $0.string.flatMap { IDPattern($0) }
        }
        let isHash = object.flag("hash") ?? false
        let field = JSONSelector(field: "id")
        let from =
            join == nil
            ? object.perOperation("from", CatalogObject.selectorForm, otherwise: [field]) { view in
                CatalogObject.selector(view).map { [$0] }
            }
            : object.perOperation("from", "an array of two or more selectors", otherwise: [field], Self.parts)
        checkCombinations(object, type)
        guard let type else { return nil }
        guard from != nil || match != nil || isHash else { return (type, nil) }
        let source = IDSource(from: from ?? PerOperation([field]), join: join, match: match, isHash: isHash)
        return (type, source)
    }

    private func checkCombinations(_ object: CatalogObject, _ type: IDType?) {
        for key in ["join", "hash"] {
            if let view = object[key], view.bool != false, type == .integer {
                reader.fault("'\(key)' needs \"type\": \"string\"", at: view)
            }
        }
        if let view = object["match"], object["join"] != nil || object["hash"]?.bool == true {
            reader.fault("'match' cannot be combined with 'join' or 'hash'; remove 'match' or the other key", at: view)
        }
        for key in ["join", "hash"] where object["from"] == nil {
            if let view = object[key], view.bool != false {
                reader.fault("'\(key)' needs 'from'; add 'from' or remove '\(key)'", at: view)
            }
        }
    }

    private static func type(_ view: JSONView) -> IDType? { view.string.flatMap { IDType(rawValue: $0) } }

    private static func parts(_ view: JSONView) -> [JSONSelector]? {
        let selectors = view.elements.map { CatalogObject.selector($0) }
        let parts = selectors.compactMap { $0 }
        return parts.count >= 2 && parts.count == selectors.count ? parts : nil
    }
}
