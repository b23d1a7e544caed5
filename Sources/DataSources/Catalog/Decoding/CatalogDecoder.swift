import JSON

/// Reads a catalog file. It goes on after a fault, so that a person sees all of them at once.
public struct CatalogDecoder {
    private let reader: CatalogReader

    /// The catalog in a text of JSON with comments.
    ///
    /// - Throws: `CatalogFaults` with everything that is wrong; nothing is loaded then.
    public static func decode(_ bytes: [UInt8], secrets: SecretSource) throws(CatalogFaults) -> Catalog {
        let reader = CatalogReader(secrets: secrets)
        let catalog = CatalogDecoder(reader: reader).decode(bytes)
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
        guard let object = reader.object(root, "the catalog", keys: ["larder", "apis", "resources", "$schema"]) else {
            return nil
        }
        if let version = object.required("larder"), version.integer != 1 {
            reader.fault("'larder' must be 1, the version of the format", at: version)
        }
        let declared = object.named("apis")
        let apiDecoder = APIDecoder(reader: reader)
        let apis = declared.compactMap { apiDecoder.decode($0) }
        let resourceDecoder = ResourceDecoder(reader: reader, apis: APINames(declared.map(\.name)))
        let resources = object.named("resources").compactMap { resourceDecoder.decode($0) }
        return Catalog(apis: apis, resources: resources, secrets: reader.secrets, unsearched: reader.unsearched)
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
