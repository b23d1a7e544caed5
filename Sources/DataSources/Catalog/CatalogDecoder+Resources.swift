import JSON

/// The `resources` section.
extension CatalogDecoder {
    /// The first parts of Larder's own methods, which no resource may take.
    private static let reservedNames = ["cache", "recents", "request", "rpc", "server"]

    mutating func decodeResource(
        _ name: JSONView, _ view: JSONView, apis: APINames
    ) -> ResourceDefinition? {
        let text = name.string ?? ""
        checkName(text, at: name)
        let keys = ["api", "id", "fields", "rest", "graphql", "strictIDs", "cache"]
        guard let object = object(view, "the resource '\(text)'", keys: keys) else { return nil }
        let api = decodeAPIName(in: object, apis: apis)
        _ = required("id", in: object)
        let id = value("id", in: object, "\"integer\" or \"string\"") { $0.string.flatMap { IDType(rawValue: $0) } }
        let fields = object["fields"].map { decodeFields($0, "'fields' of \(object.what)") }
        if let id, let fields { checkIDField(fields, id, at: object) }
        let transport = decodeTransport(in: object)
        let hasStrictIDs = flag("strictIDs", in: object) ?? false
        let cache = object["cache"].map { decodeCache($0, of: object) }
        guard let api, let id, let transport else { return nil }
        return ResourceDefinition(
            name: text, api: api, id: id, hasStrictIDs: hasStrictIDs, fields: fields, transport: transport,
            cache: cache ?? CacheRules(),
            declaration: Self.declaration(view))
    }

    private static func declaration(_ view: JSONView) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for member in view.members where !member.key.isString("cache") {
            writer.key(member.key)
            writer.value(member.value)
        }
        writer.endObject()
        return writer.bytes
    }

    private mutating func checkName(_ name: String, at view: JSONView) {
        let isName =
            name.first?.isLetter == true
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
        if !isName {
            fault("a resource's name is letters, digits, '_', '-' and '.', with a letter first", at: view)
        } else if Self.reservedNames.contains(name) {
            fault("'\(name)' names methods of Larder's own; choose another name", at: view)
        }
    }

    private mutating func decodeAPIName(in object: CatalogObject, apis: APINames) -> String? {
        guard let view = required("api", in: object) else { return nil }
        guard let name = view.string, apis.contain(name) else {
            if !apis.isEmpty { fault("'api' must be one of the APIs: \(apis.listed)", at: view) }
            return nil
        }
        return name
    }

    private mutating func checkIDField(_ fields: [FieldDefinition], _ id: IDType, at object: CatalogObject) {
        guard let field = fields.first(where: { $0.name == "id" }) else { return }
        let shape: FieldType.Shape = id == .integer ? .integer : .string
        if field.type.shape != shape || field.type.isOptional, let view = object["fields"]?["id"] {
            fault("the field 'id' must be \"\(id.rawValue)\", as the resource's 'id' is", at: view)
        }
    }

    private mutating func decodeTransport(in object: CatalogObject) -> ResourceDefinition.Transport? {
        switch (object["rest"], object["graphql"]) {
        case (let rest?, nil): return decodeREST(rest, of: object).map { .rest($0) }
        case (nil, let graphql?): return decodeGraphQL(graphql, of: object).map { .graphql($0) }
        case (nil, nil): fault("\(object.what) needs 'rest' or 'graphql'", at: object.view)
        case (_?, let graphql?): fault("\(object.what) has both 'rest' and 'graphql'; one must go", at: graphql)
        }
        return nil
    }

    private mutating func decodeCache(_ view: JSONView, of resource: CatalogObject) -> CacheRules {
        var rules = CacheRules()
        let keys = ["freshFor", "keepFor", "staleWhileRevalidate"]
        guard let object = object(view, "'cache' of \(resource.what)", keys: keys) else { return rules }
        let duration = "a duration, such as \"1h\""
        rules.freshFor = value("freshFor", in: object, duration) { Quantity.milliseconds($0) }
        rules.keepFor = value("keepFor", in: object, duration) { Quantity.milliseconds($0) }
        rules.staleWhileRevalidate = flag("staleWhileRevalidate", in: object) ?? false
        return rules
    }
}
