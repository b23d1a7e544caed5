import Catalog
import DataSources
import JSON
import Model

/// Converts an item from the API's format to the format that Larder stores and returns. Selects and checks the declared
/// fields, and writes them as JSON.
public struct ItemMapper: MapperContract {
    private let idType: IDType
    private let idSource: IDSource
    private let hasDeclaredIDSource: Bool
    private let hasStrictIDs: Bool
    private let fields: [FieldDefinition]?
    /// For a resource without declared fields: whether every item must contain an id. False for other resources.
    private let needsID: Bool
    private let operation: OperationName
    private let besidesID: [FieldDefinition]
    /// Whether the catalog requires at least one field in addition to the id.
    private let needsMoreThanID: Bool
    /// The requested id, which replaces the id in the API's item; nil if the request is not for a single item.
    private var requestedID: String?
    /// The cached version of the requested item, as JSON.
    private var cached: [UInt8]?

    /// Creates a mapper for the items that the API returns for one operation of a resource.
    public init(_ resource: ResourceDefinition, from operation: OperationName = .get) {
        idType = resource.id
        idSource = resource.idSource
        hasDeclaredIDSource = resource.hasDeclaredIDSource
        fields = resource.fields
        hasStrictIDs = resource.hasStrictIDs
        // The items of a list need ids, so every item of the resource has one.
        needsID = resource.fields == nil && resource.list != nil && resource.showsIDs
        self.operation = operation
        let ids = resource.idSource.from[operation]
        besidesID = (resource.fields ?? []).filter { $0.name != "id" && !ids.contains($0.from[operation]) }
        needsMoreThanID = besidesID.contains { !$0.type.isOptional }
    }

    /// Returns a mapper for the answer to a request for one id. The item gets the requested id. An answer without an
    /// item is an error.
    ///
    /// - Parameter cached: the cached version of the item, as JSON.
    func requesting(_ id: String, cached: [UInt8]? = nil) -> ItemMapper {
        var mapper = self
        (mapper.requestedID, mapper.cached) = (id, cached)
        return mapper
    }

    /// Checks an item from an API and converts the item to the JSON that Larder stores.
    ///
    /// - Throws: `APIError.decodingFailed` with the path of the invalid value.
    public func map(_ dto: ItemDTO) throws(APIError) -> Item {
        // The stored form is rarely larger than the API's form.
        var writer = FieldWriter(
            idType: idType, operation: operation, isPartial: false, capacity: min(dto.json.size, Self.maxCapacity))
        let id = try write(dto, to: &writer)
        return Item(id: id, json: writer.bytes)
    }

    /// The upper limit for the initial capacity of the output, in bytes.
    private static let maxCapacity = 1 << 20

    /// Returns a writer for one or more items.
    ///
    /// - Parameter isPartial: whether items may lack fields. Otherwise a missing field is an error.
    func writer(isPartial: Bool) -> FieldWriter {
        FieldWriter(idType: idType, operation: operation, isPartial: isPartial)
    }

    /// Appends an item to the output of the writer. Returns the item's id.
    func write(_ dto: ItemDTO, to writer: inout FieldWriter) throws(APIError) -> String {
        try dto.json.withView { (view) throws(APIError) in
            guard view.kind == .object else { throw FieldWriter.fault("an object", at: dto.path, found: view) }
            return try Self.with(dto.key) { (key) throws(APIError) in
                let own = if let requestedID { requestedID } else { try id(of: view, key: key, at: dto.path) }
                writer.beginItem()
                if let fields {
                    try writer.writeItem(fields, of: view, key: key, id: hasDeclaredIDSource ? own : nil, at: dto.path)
                } else {
                    writer.writeAll(of: view)
                }
                if requestedID != nil, !isItem(view, key: key) { throw noItem(at: dto.path) }
                return own
            }
        }
    }

    /// Returns whether an object in a 2xx response is an item and not, for example, an error. An item contains an id or
    /// a declared field.
    private func isItem(_ view: JSONView, key: JSONView?) -> Bool {
        if (try? id(of: view, key: key, at: "")) != nil { return true }
        guard let fields else {
            return !needsID && !Self.isError(view) && view.members.contains { !$0.value.isNull } && !hasCachedID
        }
        return fields.contains { isThere($0, in: view, key: key) }
    }

    private func isThere(_ field: FieldDefinition, in view: JSONView, key: JSONView?) -> Bool {
        let from = field.from[operation]
        if from.isMultiple { return from.selectAll(in: view, key: key) != nil }
        return from.select(in: view, key: key).map { !$0.isNull } ?? false
    }

    /// Returns whether an element of an answer only reports that an item does not exist.
    ///
    /// Such an element contains an id but no other declared field. If all other fields are optional, it must also
    /// contain `"found": false` or `"exists": false`.
    func isNothing(_ dto: ItemDTO) -> Bool {
        guard !besidesID.isEmpty else { return false }
        return dto.json.withView { view -> Bool in
            Self.with(dto.key) { key -> Bool in
                guard !besidesID.contains(where: { isThere($0, in: view, key: key) }),
                    (try? id(of: view, key: key, at: "")) != nil
                else { return false }
                return needsMoreThanID
                    || view.members.contains { member in
                        (member.key.isString("found") || member.key.isString("exists")) && member.value.kind == .false
                    }
            }
        }
    }

    /// Returns the id that an item contains; nil if the item has no id.
    func id(of dto: ItemDTO) -> String? {
        dto.json.withView { view -> String? in
            Self.with(dto.key) { key -> String? in try? id(of: view, key: key, at: "") }
        }
    }

    /// Returns whether an object describes an error, for example with an `error` member or with `"ok": false`.
    // The members `message` and `status` do not count, because items may also contain these members.
    private static func isError(_ view: JSONView) -> Bool {
        view.members.contains { member in
            if member.key.isString("error") || member.key.isString("errors") { return !isEmptyError(member.value) }
            return (member.key.isString("ok") || member.key.isString("success")) && member.value.kind == .false
        }
    }

    /// Returns whether the value of a member such as `error` means "no error": null, false, 0 or an empty value.
    private static func isEmptyError(_ view: JSONView) -> Bool {
        switch view.kind {
        case .null, .false: true
        case .true: false
        case .number: view.number == "0"
        case .string: view.isString("")
        case .array: !view.elements.contains { _ in true }
        case .object: !view.members.contains { _ in true }
        }
    }

    /// Whether the cached version of the item contains an id. If so, an answer without an id is not accepted as the
    /// item, unless the catalog declares fields.
    private var hasCachedID: Bool {
        guard let cached, let document = try? JSONDocument(cached) else { return false }
        return document.withRoot { (try? id(of: $0, key: nil, at: "")) != nil }
    }

    private func noItem(at path: String) -> APIError {
        let place = path.isEmpty ? "the body" : "'\(path)'"
        let ids = idSource.from[operation].map { "'\($0.path)'" }.joined(separator: ", ")
        let rest = fields == nil ? ", and no \"fields\" are declared" : " and none of the declared fields"
        return APIError(
            .decodingFailed,
            "\(place) contains no item: no id at \(ids)\(rest); set \"item\" to the path of the item, or add a rule to"
                + " \"errors\" if the answer is an error", path: path)
    }

    /// Writes an item of a list whose elements are only ids. Returns the id.
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

    /// Calls `body` with the name of the object member that contains the item. The name is nil if the item is not a
    /// member of an object.
    private static func with<Result, Failure: Error>(
        _ key: JSONPart?, _ body: (JSONView?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let key else { return try body(nil) }
        return try key.withView { (view) throws(Failure) in try body(view) }
    }

    /// Returns the id of an item if the caller did not request this id; otherwise nil. An API can have several ids for
    /// one item, so such an id is not always an error.
    ///
    /// - Throws: `APIError.decodingFailed` for an id that was not requested, if the catalog declares strict ids.
    func strangeID(of dto: ItemDTO, isAsked: (String) -> Bool) throws(APIError) -> String? {
        try dto.json.withView { (view) throws(APIError) in
            let id = try? id(of: view, key: nil, at: dto.path)
            if let id, isAsked(id) { return nil }
            guard hasStrictIDs else { return id }
            let selector = idSource.from[operation][0]
            throw FieldWriter.fault(
                "the requested id", at: FieldWriter.join(dto.path, selector.path),
                found: selector.select(in: view))
        }
    }

    private func id(
        of view: JSONView, key: JSONView?, at path: @autoclosure () -> String
    ) throws(APIError) -> String {
        try idSource.id(of: view, key: key, as: idType, in: operation) { expected, selector, found in
            FieldWriter.fault(
                expected, at: FieldWriter.join(path(), selector.path), found: found,
                meant: found == nil ? selector.meant(in: view) : nil)
        }
    }
}
