import DataSources
import JSON

/// Makes an item of what the API sent: picks, renames and checks the declared fields, and writes them once, as they
/// will be served.
public struct ItemMapper: Sendable {
    private let idType: IDType
    private let idSource: IDSource
    private let isIDDerived: Bool
    private let hasStrictIDs: Bool
    private let fields: [FieldDefinition]?
    /// Whether an item that has no declared fields is known by its id.
    private let needsID: Bool
    private let operation: OperationName

    /// The mapper of a resource's items as an operation answers with them.
    public init(_ resource: ResourceDefinition, from operation: OperationName = .get) {
        idType = resource.id
        idSource = resource.idSource
        isIDDerived = resource.isIDDerived
        fields = resource.fields
        hasStrictIDs = resource.hasStrictIDs
        // Where there is a list, its items must have one too.
        needsID = resource.fields == nil && resource.list != nil && resource.showsIDs
        self.operation = operation
    }

    /// Checks what came, and writes it as it is kept.
    ///
    /// - Throws: `APIError.decodingFailed` with the path of the value at fault.
    public func map(_ dto: ItemDTO) throws(APIError) -> Item {
        try map(dto, isPartial: false, id: nil)
    }

    /// The item, or what a list shows of it.
    ///
    /// - Parameters:
    ///   - isPartial: fields that are absent are left out instead of being a fault.
    ///   - id: the id that was asked for; the item's own where nil.
    func map(_ dto: ItemDTO, isPartial: Bool, id: String?) throws(APIError) -> Item {
        var writer = writer(isPartial: isPartial)
        let id = try write(dto, id: id, to: &writer)
        return Item(id: id, json: writer.bytes)
    }

    /// What items are written with.
    func writer(isPartial: Bool) -> FieldWriter {
        FieldWriter(idType: idType, operation: operation, isPartial: isPartial)
    }

    /// Writes the item behind those that were written before. Returns its id.
    func write(_ dto: ItemDTO, id: String?, to writer: inout FieldWriter) throws(APIError) -> String {
        try dto.json.withView { (view) throws(APIError) in
            let path = dto.path
            guard view.kind == .object else { throw FieldWriter.fault("an object", at: path, found: view) }
            return try Self.with(dto.key) { (key) throws(APIError) in
                let own = if let id { id } else { try self.id(of: view, key: key, at: path) }
                writer.beginItem()
                if let fields {
                    try writer.writeItem(fields, of: view, key: key, id: isIDDerived ? own : nil, at: path)
                } else {
                    try writer.writeAll(of: view, at: path)
                }
                if id != nil, !isItem(view, key: key) { throw noItem(at: path) }
                return own
            }
        }
    }

    /// Whether anything of an item is there, its id or a field: an error with the status of a success is an object too,
    /// and would take the item's place under the id that was asked for.
    private func isItem(_ view: JSONView, key: JSONView?) -> Bool {
        if (try? id(of: view, key: key, at: "")) != nil { return true }
        guard let fields else {
            return !needsID
                && view.members.contains { member in
                    !member.value.isNull && !Self.namesOfErrors.contains { member.key.isString($0) }
                }
        }
        return fields.contains { field in
            let from = field.from[operation]
            if from.isMultiple { return from.selectAll(in: view, key: key) != nil }
            return from.select(in: view, key: key).map { !$0.isNull } ?? false
        }
    }

    /// What APIs call the parts of an error: an object that has nothing else is no item of anything.
    private static let namesOfErrors: [StaticString] = [
        "ok", "success", "error", "errors", "error_code", "error_description", "message", "msg", "status", "code",
        "detail", "reason", "request_id", "documentation_url",
    ]

    private func noItem(at path: String) -> APIError {
        let place = path.isEmpty ? "the body" : "'\(path)'"
        let ids = idSource.from[operation].map { "'\($0.path)'" }.joined(separator: ", ")
        let rest = fields == nil ? ", and without \"fields\" nothing else tells an item" : ", and none of the fields"
        return APIError(
            .decodingFailed,
            "\(place) has nothing of an item: no id at \(ids)\(rest); where the item stands elsewhere say it in"
                + " \"item\", and what is an error in a rule of \"errors\"", path: path)
    }

    /// Writes what a list of ids has of an item: `{"id"}`. Returns its id.
    func write(id dto: ItemDTO, to writer: inout FieldWriter) throws(APIError) -> String {
        try dto.json.withView { (view) throws(APIError) in
            let id = view.string.flatMap { text in idSource.match.flatMap { $0.id(in: text, as: idType) } }
            guard let id = id ?? idType.canonical(view) else {
                throw FieldWriter.fault(idType == .integer ? "an integer" : "a string", at: dto.path, found: view)
            }
            writer.beginItem()
            writer.write(id: id)
            return id
        }
    }

    /// Calls `body` with the view of a key, if there is one.
    private static func with<Result>(
        _ key: JSONPart?, _ body: (JSONView?) throws(APIError) -> Result
    ) throws(APIError) -> Result {
        guard let key else { return try body(nil) }
        return try key.withView { (view) throws(APIError) in try body(view) }
    }

    /// The id that an item says it has, where it was not asked for by that. It may be the right one all the same, asked
    /// for by another name.
    ///
    /// - Throws: `APIError.decodingFailed` for such an id where the catalog has them strict.
    func strangeID(of dto: ItemDTO, isAsked: (String) -> Bool) throws(APIError) -> String? {
        try dto.json.withView { (view) throws(APIError) in
            let id = try? id(of: view, key: nil, at: dto.path)
            if let id, isAsked(id) { return nil }
            guard hasStrictIDs else { return id }
            let selector = idSource.from[operation][0]
            throw FieldWriter.fault(
                "the id that was asked for", at: FieldWriter.join(dto.path, selector.path),
                found: selector.select(in: view))
        }
    }

    private func id(of view: JSONView, key: JSONView?, at path: String) throws(APIError) -> String {
        try idSource.id(of: view, key: key, as: idType, in: operation) { expected, selector, found in
            FieldWriter.fault(
                expected, at: FieldWriter.join(path, selector.path), found: found,
                meant: found == nil ? selector.meant(in: view) : nil)
        }
    }
}
