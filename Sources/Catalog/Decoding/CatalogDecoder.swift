import JSON

/// Decodes a catalog file and the files that it includes. Continues after an error, and reports all errors together.
public struct CatalogDecoder {
    private let reader: CatalogReader

    /// Decodes a catalog from JSON with comments.
    ///
    /// - Parameters:
    ///   - bytes: the UTF-8 text of the catalog.
    ///   - secrets: the source of the values for `${env:NAME}`, `${file:PATH}` and `${var:NAME}`.
    ///   - includes: reads the files that the catalog includes.
    ///   - toleratesMissing: whether a missing secret or variable disables only the API that needs this value
    ///     (`APIDefinition.missingValues`). If false, a missing secret or variable is an error.
    /// - Throws: `CatalogFaults` with all errors of the catalog.
    public static func decode(
        _ bytes: [UInt8], secrets: SecretSource, includes: IncludeSource = .none, toleratesMissing: Bool = false,
        movedAPIs: Set<String> = []
    ) throws(CatalogFaults) -> Catalog {
        let reader = CatalogReader(
            bytes, secrets: secrets, toleratesMissing: toleratesMissing, movedAPIs: movedAPIs)
        let files = IncludeReader.files(reader, includes)
        let catalog = CatalogDecoder(reader: reader).decode(files, includes.catalog?.description ?? "the catalog")
        guard reader.faults.isEmpty else { throw reader.faults.faults(in: reader.files) }
        return catalog
    }

    /// Decodes the sections of all files of the catalog.
    ///
    /// - Parameter name: the name of the main catalog file, for error messages.
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
        // If an included file could not be read, its APIs and resources are missing too.
        if let first = files.first, !isAlone, reader.faults.isEmpty {
            reader.file = first.number
            first.document.withRoot { sections.checkForMissingSections(at: $0) }
        }
        notePlaces(in: &sections)
        return Catalog(
            apis: sections.apis, resources: sections.resources, secrets: reader.secrets,
            unredactedOrigins: reader.unredactedOrigins, answerHeaders: reader.answerHeaders,
            variables: reader.variables)
    }

    /// Records the missing secrets and variables of each API, and the location of the API's `auth`. Converts all
    /// location numbers to lines and columns together, so that each file is scanned only once.
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
                sections.apis[index].missingValues.append(CatalogFault(place: place, message: message))
                if sections.apis[index].incompleteURLNumber == note.place {
                    sections.apis[index].incompleteURLPlace = place
                }
            } else {
                sections.apis[index].authPlace = place
                sections.apis[index].authNumber = nil
            }
        }
        for index in sections.apis.indices { sections.apis[index].incompleteURLNumber = nil }
    }
}

/// The APIs and resources decoded so far, from all files of a catalog.
private struct Sections {
    let reader: CatalogReader
    let name: String
    /// Whether the catalog consists of the main file only. If so, the main file must declare both APIs and resources.
    let isAlone: Bool
    var apis: [APIDefinition] = []
    var resources: [ResourceDefinition] = []
    /// The names of the APIs in the order of their declaration.
    private var apiNames: [String] = []
    /// For each API name, the index of the file that declares the API.
    private var filesOfAPIs: [String: Int] = [:]
    /// For each resource name, the index of the file that declares the resource.
    private var filesOfResources: [String: Int] = [:]
    var missing: [(api: String, absence: CatalogReader.Missing)] = []

    init(reader: CatalogReader, name: String, isAlone: Bool) {
        self.reader = reader
        self.name = name
        self.isAlone = isAlone
    }

    mutating func takeAPIs(from root: JSONView) {
        guard let object = reader.object(root, "the catalog", .catalog) else { return }
        // The version (`larder`) is required in the main file and optional in included files.
        let version = reader.file == 0 ? object.required("larder") : object["larder"]
        if let version, version.integer != 1 {
            reader.fault("'larder' must be 1, the version of the catalog format", at: version)
        }
        let decoder = APIDecoder(reader: reader)
        let members = object.named("apis", isRequired: isAlone).filter { isFirst($0, "API", &filesOfAPIs) }
        apiNames += members.map(\.name)
        for member in members {
            if let api = decoder.decode(member) { apis.append(api) }
            missing += reader.takeMissing().map { (member.name, $0) }
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
            missing += reader.takeMissing().map { (resource?.api ?? "", $0) }
        }
    }

    /// Returns true if the current file is the first file that declares the given API or resource. Otherwise reports an
    /// error and returns false.
    private func isFirst(_ member: CatalogMember, _ what: String, _ files: inout [String: Int]) -> Bool {
        guard let other = files.updateValue(reader.file, forKey: member.name), other != reader.file else { return true }
        reader.fault(
            "the \(what) '\(member.name)' is already declared in \(reader.files.texts[other].name ?? name);"
                + " remove one of the declarations", at: member.key)
        return false
    }

    func checkForMissingSections(at root: JSONView) {
        for (key, files) in [("apis", filesOfAPIs), ("resources", filesOfResources)] where files.isEmpty {
            reader.fault("'\(key)' is missing in the catalog and in the included files; add '\(key)'", at: root)
        }
    }
}

struct APINames {
    private let inOrder: [String]
    private let all: Set<String>

    init(_ names: [String]) {
        inOrder = names
        all = Set(names)
    }

    var isEmpty: Bool { all.isEmpty }

    func contain(_ name: String) -> Bool { all.contains(name) }

    /// The API names as text for an error message: the first 20 names, and the number of the remaining names.
    var listed: String {
        let first = inOrder.prefix(20).map { "'\($0)'" }.joined(separator: ", ")
        return inOrder.count > 20 ? "\(first), and \(inOrder.count - 20) more" : first
    }
}
