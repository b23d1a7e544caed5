import JSON

/// Reads a catalog file, and those that it includes. It goes on after a fault, so that a person sees all of them at
/// once.
public struct CatalogDecoder {
    private let reader: CatalogReader

    /// The catalog in a text of JSON with comments.
    ///
    /// - Parameters:
    ///   - includes: where the files are that it includes.
    ///   - toleratesAbsence: whether a secret or a variable that is missing stops its API alone
    ///     (`APIDefinition.absences`), instead of being a fault.
    /// - Throws: `CatalogFaults` with everything that is wrong; nothing is loaded then.
    public static func decode(
        _ bytes: [UInt8], secrets: SecretSource, includes: IncludeSource = .none, toleratesAbsence: Bool = false
    ) throws(CatalogFaults) -> Catalog {
        let reader = CatalogReader(bytes, secrets: secrets, toleratesAbsence: toleratesAbsence)
        let files = IncludeReader.files(reader, includes)
        let catalog = CatalogDecoder(reader: reader).decode(files, includes.catalog?.description ?? "the catalog")
        guard reader.faults.isEmpty else { throw reader.faults.faults(in: reader.files) }
        return catalog
    }

    /// - Parameter name: what the catalog itself is called.
    private func decode(_ files: [IncludeReader.File], _ name: String) -> Catalog {
        let isAlone = files.allSatisfy { $0.document.withRoot { $0["include"] == nil } }
        var sections = Sections(reader: reader, name: name, isAlone: isAlone)
        for file in files {
            reader.file = file.number
            file.document.withRoot { sections.takeAPIs(from: $0) }
        }
        for file in files {
            reader.file = file.number
            file.document.withRoot { sections.takeResources(from: $0) }
        }
        // Where a file is missing, so may be what it has.
        if let first = files.first, !isAlone, reader.faults.isEmpty {
            reader.file = first.number
            first.document.withRoot { sections.checkThatNoneIsEmpty(at: $0) }
        }
        notePlaces(in: &sections)
        return Catalog(
            apis: sections.apis, resources: sections.resources, secrets: reader.secrets,
            unsearched: reader.unsearched, answerHeaders: reader.answerHeaders,
            variables: reader.variables)
    }

    /// Notes at each API what it lacks, and where tokens are declared. Each text is gone through once.
    private func notePlaces(in sections: inout Sections) {
        var notes = sections.missing.map {
            (place: $0.absence.place, api: $0.api, message: String?($0.absence.message))
        }
        for api in sections.apis {
            if let place = api.authNumber { notes.append((place, api.name, nil)) }
        }
        if notes.isEmpty { return }
        notes.sort { $0.place < $1.place }
        let indices = Dictionary(sections.apis.indices.map { (sections.apis[$0].name, $0) }) { first, _ in first }
        for (place, note) in zip(reader.files.places(of: notes.map(\.place)), notes) {
            guard let index = indices[note.api] else { continue }
            if let message = note.message {
                sections.apis[index].absences.append(CatalogFault(place: place, message: message))
            } else {
                sections.apis[index].authPlace = place
                sections.apis[index].authNumber = nil
            }
        }
    }
}

/// The APIs and resources of all files of a catalog, while they are read.
private struct Sections {
    let reader: CatalogReader
    let name: String
    /// Whether no other file can have what this one has not.
    let isAlone: Bool
    var apis: [APIDefinition] = []
    var resources: [ResourceDefinition] = []
    /// The names in their order.
    private var apiNames: [String] = []
    /// The files that declare them.
    private var filesOfAPIs: [String: Int] = [:]
    private var filesOfResources: [String: Int] = [:]
    var missing: [(api: String, absence: CatalogReader.Absence)] = []

    init(reader: CatalogReader, name: String, isAlone: Bool) {
        self.reader = reader
        self.name = name
        self.isAlone = isAlone
    }

    mutating func takeAPIs(from root: JSONView) {
        guard let object = reader.object(root, "the catalog", .catalog) else { return }
        // An included file is a catalog's part, and may say so.
        let version = reader.file == 0 ? object.required("larder") : object["larder"]
        if let version, version.integer != 1 {
            reader.fault("'larder' must be 1, the version of the format", at: version)
        }
        let decoder = APIDecoder(reader: reader)
        let members = object.named("apis", isRequired: isAlone).filter { isFirst($0, "API", &filesOfAPIs) }
        apiNames += members.map(\.name)
        for member in members {
            if let api = decoder.decode(member) { apis.append(api) }
            missing += reader.takeAbsences().map { (member.name, $0) }
        }
    }

    mutating func takeResources(from root: JSONView) {
        guard root.kind == .object else { return }
        let object = CatalogObject(view: root, what: "the catalog", reader: reader)
        let decoder = ResourceDecoder(reader: reader, apis: APINames(apiNames))
        let members = object.named("resources", isRequired: isAlone).filter {
            isFirst($0, "resource", &filesOfResources)
        }
        for member in members {
            let resource = decoder.decode(member)
            if let resource { resources.append(resource) }
            missing += reader.takeAbsences().map { (resource?.api ?? "", $0) }
        }
    }

    /// Whether no other file declares the name; a fault where one does.
    private func isFirst(_ member: CatalogMember, _ what: String, _ files: inout [String: Int]) -> Bool {
        guard let other = files.updateValue(reader.file, forKey: member.name), other != reader.file else { return true }
        reader.fault(
            "the \(what) '\(member.name)' is declared in \(reader.files.texts[other].name ?? name) already",
            at: member.key)
        return false
    }

    func checkThatNoneIsEmpty(at root: JSONView) {
        for (key, files) in [("apis", filesOfAPIs), ("resources", filesOfResources)] where files.isEmpty {
            reader.fault("neither the catalog nor what it includes has '\(key)'", at: root)
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
