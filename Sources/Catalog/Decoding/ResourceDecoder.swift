import JSON
import Model

/// Decodes a resource of the section `resources`.
struct ResourceDecoder {
    /// The prefixes of Larder's own methods. A resource cannot have one of these names, because its methods would get
    /// the same prefix.
    private static let reservedNames = ["cache", "recents", "request", "rpc", "server"]

    let reader: CatalogReader
    /// The names of the catalog's APIs.
    let apis: APINames

    /// Decodes one resource from a member of `resources`. Returns nil after an error.
    func decode(_ member: CatalogMember) -> ResourceDefinition? {
        let (name, view) = (member.name, member.value)
        checkName(name, at: member.key)
        guard let object = reader.object(view, "the resource '\(name)'", .resource) else { return nil }
        let api = decodeAPIName(in: object)
        let id = IDDecoder(reader: reader).decode(in: object)
        let fields = object["fields"].map {
            FieldsDecoder(reader: reader).decode($0, "'fields' of \(object.what)")
        }
        if let id, id.source == nil, let fields { checkIDField(fields, id.type, at: object) }
        let scope = object["scope"].map { ParametersDecoder(reader: reader).scope($0, of: object) } ?? []
        let transport = decodeTransport(in: object, scope.map(\.name))
        let hasStrictIDs = object.flag("strictIDs") ?? false
        let skipsMismatches = object.value("onMismatch", "\"skip\" or \"fail\"") {
            $0.isString("skip") ? true : $0.isString("fail") ? false : nil
        }
        let cache = object["cache"].map { decodeCache($0, of: object) }
        guard let api, let id, let transport else { return nil }
        return ResourceDefinition(
            name: name, api: api, scope: scope, id: id.type, idSource: id.source ?? Self.idField(in: fields),
            hasDeclaredIDSource: id.source != nil, hasStrictIDs: hasStrictIDs,
            skipsMismatches: skipsMismatches ?? false,
            fields: fields, transport: transport, cache: cache ?? CacheRules(), declaration: Self.declaration(view))
    }

    /// Returns the default source of ids: the field `id`.
    private static func idField(in fields: [FieldDefinition]?) -> IDSource {
        let field = fields?.first { $0.name == "id" }
        return IDSource(from: field?.from.map { [$0] } ?? PerOperation([JSONSelector(field: "id")]))
    }

    private static func declaration(_ view: JSONView) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for member in view.members where !member.key.isString("cache") {
            writer.key(member.key)
            let hasOperations = member.key.isString("rest") || member.key.isString("graphql")
            guard hasOperations, member.value["sync"] != nil else {
                writer.value(member.value)
                continue
            }
            writer.beginObject()
            for operation in member.value.members where !operation.key.isString("sync") {
                writer.key(operation.key)
                writer.value(operation.value)
            }
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }

    private func checkName(_ name: String, at view: JSONView) {
        let isName =
            name.first?.isLetter == true
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
        if !isName {
            reader.fault(
                "a resource name must start with a letter and contain only letters, digits, '_', '-' and '.'", at: view)
        } else if Self.reservedNames.contains(name) {
            reader.fault("'\(name)' is reserved for Larder's own methods; choose another name", at: view)
        }
    }

    private func decodeAPIName(in object: CatalogObject) -> String? {
        guard let view = object.required("api") else { return nil }
        guard let name = view.string, apis.contain(name) else {
            if !apis.isEmpty { reader.fault("'api' must be one of the APIs: \(apis.listed)", at: view) }
            return nil
        }
        return name
    }

    private func checkIDField(_ fields: [FieldDefinition], _ id: IDType, at object: CatalogObject) {
        guard let field = fields.first(where: { $0.name == "id" }) else { return }
        let shape: FieldType.Shape = id == .integer ? .integer : .string
        if field.type.shape != shape || field.type.isOptional, let view = object["fields"]?["id"] {
            reader.fault(
                "the field 'id' must have the type \"\(id.rawValue)\", like the 'id' of the resource", at: view)
        }
    }

    private func decodeTransport(
        in object: CatalogObject, _ scope: [String]
    ) -> ResourceDefinition.Transport? {
        let decoder = OperationsDecoder(reader: reader, scope: scope)
        switch (object["rest"], object["graphql"]) {
        case (let rest?, nil): return decoder.rest(rest, of: object).map { .rest($0) }
        case (nil, let graphql?):
            return decoder.graphQL(graphql, of: object).map { .graphql(path: $0.path, $0.operations) }
        case (nil, nil): reader.fault("\(object.what) needs 'rest' or 'graphql'; add one of them", at: object.view)
        case (_?, let graphql?):
            reader.fault("\(object.what) has both 'rest' and 'graphql'; remove one of them", at: graphql)
        }
        return nil
    }

    private func decodeCache(_ view: JSONView, of resource: CatalogObject) -> CacheRules {
        var rules = CacheRules()
        guard let object = reader.object(view, "'cache' of \(resource.what)", .cache) else { return rules }
        let duration = "a duration, such as \"1h\""
        rules.freshFor = object.value("freshFor", duration) { Quantity.milliseconds($0) }
        rules.keepFor = object.value("keepFor", duration) { Quantity.milliseconds($0) }
        rules.staleWhileRevalidate = object.flag("staleWhileRevalidate") ?? false
        rules.shared = object.value("shared", "\"everyone\" or \"never\"") { view in
            view.string.flatMap { CacheRules.SharedRule(rawValue: $0) }
        }
        return rules
    }
}
