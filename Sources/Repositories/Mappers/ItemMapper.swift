import DataSources
import JSON

/// Makes an item of what the API sent: picks, renames and checks the declared fields, and writes them once, as they
/// will be served.
public struct ItemMapper: Sendable {
    private let idType: IDType
    private let idSelector: JSONSelector
    private let hasStrictIDs: Bool
    private let fields: [FieldDefinition]?

    /// The mapper of a resource's items.
    public init(_ resource: ResourceDefinition) {
        idType = resource.id
        fields = resource.fields
        hasStrictIDs = resource.hasStrictIDs
        idSelector = resource.fields?.first { $0.name == "id" }?.from ?? JSONSelector(field: "id")
    }

    /// The item.
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
    func writer(isPartial: Bool) -> FieldWriter { FieldWriter(idType: idType, isPartial: isPartial) }

    /// Writes the item behind those that were written before. Returns its id.
    func write(_ dto: ItemDTO, id: String?, to writer: inout FieldWriter) throws(APIError) -> String {
        try dto.json.withView { (view) throws(APIError) in
            let path = dto.path
            guard view.kind == .object else { throw FieldWriter.fault("an object", at: path, found: view) }
            let own = if let id { id } else { try self.id(of: view, at: path) }
            writer.beginItem()
            if let fields {
                try writer.writeItem(fields, of: view, at: path)
            } else {
                try writer.writeAll(of: view, at: path)
            }
            return own
        }
    }

    /// The id that an item says it has, where it was not asked for by that. It may be the right one all the same, asked
    /// for by another name.
    ///
    /// - Throws: `APIError.decodingFailed` for such an id where the catalog has them strict.
    func strangeID(of dto: ItemDTO, isAsked: (String) -> Bool) throws(APIError) -> String? {
        try dto.json.withView { (view) throws(APIError) in
            let found = idSelector.select(in: view)
            let id = found.flatMap { idType.canonical($0) }
            if let id, isAsked(id) { return nil }
            guard hasStrictIDs else { return id }
            throw FieldWriter.fault(
                "the id that was asked for", at: FieldWriter.join(dto.path, idSelector.path), found: found)
        }
    }

    private func id(of view: JSONView, at path: String) throws(APIError) -> String {
        let found = idSelector.select(in: view)
        guard let id = found.flatMap({ idType.canonical($0) }) else {
            throw FieldWriter.fault(
                idType == .integer ? "an integer" : "a string", at: FieldWriter.join(path, idSelector.path),
                found: found)
        }
        return id
    }
}
