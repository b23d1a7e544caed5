import JSON

/// Reads a catalog file. It goes on after a fault, so that a person sees all of them at once.
public struct CatalogDecoder {
    private let reader: CatalogReader
    private let bytes: [UInt8]

    /// The catalog in a text of JSON with comments.
    ///
    /// - Parameter toleratesAbsence: whether a secret or a variable that is missing stops its API alone
    ///   (`APIDefinition.absences`), instead of being a fault.
    /// - Throws: `CatalogFaults` with everything that is wrong; nothing is loaded then.
    public static func decode(
        _ bytes: [UInt8], secrets: SecretSource, toleratesAbsence: Bool = false
    ) throws(CatalogFaults) -> Catalog {
        let reader = CatalogReader(secrets: secrets, toleratesAbsence: toleratesAbsence)
        let catalog = CatalogDecoder(reader: reader, bytes: bytes).decode(bytes)
        guard let catalog, reader.faults.isEmpty else { throw reader.faults.faults(in: bytes) }
        return catalog
    }

    private func decode(_ bytes: [UInt8]) -> Catalog? {
        do throws(JSONFault) {
            let document = try JSONDocument(passingMark: bytes, as: .jsonc)
            return document.withRoot { decode($0) }
        } catch {
            reader.fault(error.reason, atOffset: error.offset)
            return nil
        }
    }

    private func decode(_ root: JSONView) -> Catalog? {
        guard let object = reader.object(root, "the catalog", .catalog) else {
            return nil
        }
        if let version = object.required("larder"), version.integer != 1 {
            reader.fault("'larder' must be 1, the version of the format", at: version)
        }
        let declared = object.named("apis")
        let apiDecoder = APIDecoder(reader: reader)
        var missing: [(api: String, absence: CatalogReader.Absence)] = []
        var apis = declared.compactMap { member in
            let api = apiDecoder.decode(member)
            missing += reader.takeAbsences().map { (member.name, $0) }
            return api
        }
        let resourceDecoder = ResourceDecoder(reader: reader, apis: APINames(declared.map(\.name)))
        let resources = object.named("resources").compactMap { member in
            let resource = resourceDecoder.decode(member)
            missing += reader.takeAbsences().map { (resource?.api ?? "", $0) }
            return resource
        }
        note(missing, in: &apis)
        return Catalog(
            apis: apis, resources: resources, secrets: reader.secrets, unsearched: reader.unsearched,
            answerHeaders: reader.answerHeaders)
    }

    /// Notes at each API what it lacks, with the places. The text is gone through once.
    private func note(_ missing: [(api: String, absence: CatalogReader.Absence)], in apis: inout [APIDefinition]) {
        if missing.isEmpty { return }
        let indices = Dictionary(apis.indices.map { (apis[$0].name, $0) }) { first, _ in first }
        let sorted = missing.sorted { $0.absence.offset < $1.absence.offset }
        let positions = JSONPosition.positions(of: sorted.map(\.absence.offset), in: bytes)
        for (position, (api, absence)) in zip(positions, sorted) {
            guard let index = indices[api] else { continue }
            apis[index].absences.append(CatalogFault(position: position, message: absence.message))
        }
    }
}

/// The names of the APIs that a catalog has.
struct APINames {
    private let inOrder: [String]
    private let all: Set<String>

    init(_ names: [String]) {
        inOrder = names
        all = Set(names)
    }

    var isEmpty: Bool { all.isEmpty }

    func contain(_ name: String) -> Bool { all.contains(name) }

    /// The names as a message has them, the first of many.
    var listed: String {
        let told = inOrder.prefix(20).map { "'\($0)'" }.joined(separator: ", ")
        return inOrder.count > 20 ? "\(told), and \(inOrder.count - 20) more" : told
    }
}
