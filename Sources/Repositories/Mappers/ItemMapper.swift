import Catalog
import DataSources
import JSON
import Model

/// Maps an API's item to the item that is stored and served: picks, renames and checks the declared fields, and writes
/// them once.
public struct ItemMapper: MapperContract {
    private let idType: IDType
    private let idSource: IDSource
    private let isIDDerived: Bool
    private let hasStrictIDs: Bool
    private let fields: [FieldDefinition]?
    /// Whether an item that has no declared fields must have its id.
    private let needsID: Bool
    private let operation: OperationName
    /// The declared fields that do not show the id.
    private let besidesID: [FieldDefinition]
    /// Whether one of these must be there.
    private let needsMoreThanID: Bool
    /// The id that was asked for; nil if the item's own id counts.
    private var requestedID: String?
    /// The cached item with the requested id, as it is stored.
    private var cached: [UInt8]?

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
        let ids = resource.idSource.from[operation]
        besidesID = (resource.fields ?? []).filter { $0.name != "id" && !ids.contains($0.from[operation]) }
        needsMoreThanID = besidesID.contains { !$0.type.isOptional }
    }

    /// Returns a mapper of the answer to a request for one id. It gives the item that id, and throws if the answer
    /// contains nothing of an item.
    ///
    /// - Parameter cached: the cached item with that id, as it is stored.
    func requesting(_ id: String, cached: [UInt8]? = nil) -> ItemMapper {
        var mapper = self
        (mapper.requestedID, mapper.cached) = (id, cached)
        return mapper
    }

    /// Checks the API's item, and writes it as it is stored.
    ///
    /// - Throws: `APIError.decodingFailed` with the path of the value at fault.
    public func map(_ dto: ItemDTO) throws(APIError) -> Item {
        var writer = writer(isPartial: false)
        let id = try write(dto, to: &writer)
        return Item(id: id, json: writer.bytes)
    }

    /// Returns the writer of one or more items.
    ///
    /// - Parameter isPartial: whether absent fields are left out. Otherwise they are errors.
    func writer(isPartial: Bool) -> FieldWriter {
        FieldWriter(idType: idType, operation: operation, isPartial: isPartial)
    }

    /// Appends the item to those that were written before. Returns its id.
    func write(_ dto: ItemDTO, to writer: inout FieldWriter) throws(APIError) -> String {
        try dto.json.withView { (view) throws(APIError) in
            guard view.kind == .object else { throw FieldWriter.fault("an object", at: dto.path, found: view) }
            return try Self.with(dto.key) { (key) throws(APIError) in
                let own = if let requestedID { requestedID } else { try id(of: view, key: key, at: dto.path) }
                writer.beginItem()
                if let fields {
                    try writer.writeItem(fields, of: view, key: key, id: isIDDerived ? own : nil, at: dto.path)
                } else {
                    writer.writeAll(of: view)
                }
                if requestedID != nil, !isItem(view, key: key) { throw noItem(at: dto.path) }
                return own
            }
        }
    }

    /// Whether anything of an item is there, its id or a field: an error with the status of a success is an object too,
    /// and would take the item's place under the id that was asked for.
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

    /// Whether an API says by one of several items that it has none of that id: it has nothing of the declared fields
    /// but the id, and lacks one that must be there or is told as not found (`"found": false`).
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

    /// The id that one of several items says it has.
    func id(of dto: ItemDTO) -> String? {
        dto.json.withView { view -> String? in
            Self.with(dto.key) { key -> String? in try? id(of: view, key: key, at: "") }
        }
    }

    /// Whether an object says of itself that it is an error. Its words say nothing: items have a `message` or a
    /// `status` too.
    private static func isError(_ view: JSONView) -> Bool {
        view.members.contains { member in
            if member.key.isString("error") || member.key.isString("errors") { return !saysNothing(member.value) }
            return (member.key.isString("ok") || member.key.isString("success")) && member.value.kind == .false
        }
    }

    /// Whether it stands for no error.
    private static func saysNothing(_ view: JSONView) -> Bool {
        switch view.kind {
        case .null, .false: true
        case .true: false
        case .number: view.number == "0"
        case .string: view.isString("")
        case .array: !view.elements.contains { _ in true }
        case .object: !view.members.contains { _ in true }
        }
    }

    /// Whether the cached item shows an id: an API that shows it does not leave it out of an item.
    private var hasCachedID: Bool {
        guard let cached, let document = try? JSONDocument(cached) else { return false }
        return document.withRoot { (try? id(of: $0, key: nil, at: "")) != nil }
    }

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
    private static func with<Result, Failure: Error>(
        _ key: JSONPart?, _ body: (JSONView?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let key else { return try body(nil) }
        return try key.withView { (view) throws(Failure) in try body(view) }
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
