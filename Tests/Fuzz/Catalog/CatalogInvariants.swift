import Catalog
import CatalogTools
import DataSources
import FuzzSupport
import JSON
import Model

/// Tests one input: the text of a catalog or of a document. Decoding a catalog must return a usable catalog, or faults
/// with positions in the text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCatalog(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let text = Array(UnsafeRawBufferPointer(start: start, count: count))
    let secrets = SecretSource(
        environment: { $0.hasPrefix("T") ? "secret" : nil }, file: { $0.hasPrefix("t") ? "in a file" : nil })
    let first = decode(text, secrets)
    require(first == decode(text, secrets), "the same catalog is read in two ways")
    switch first {
    case .success(let catalog): checkCatalog(catalog)
    case .failure(let error): checkFaults(error.faults, in: text)
    }
    look(at: text, secrets, isCatalog: (try? first.get()) != nil)
    importDocument(text)
    return 0
}

/// Reads the text as an OpenAPI or Swagger document in JSON or YAML. A draft is a valid catalog.
private func importDocument(_ text: [UInt8]) {
    guard let draft = try? CatalogImport.draft(text) else { return }
    let catalog = try? CatalogDecoder.decode(Array(draft.utf8), secrets: .empty, toleratesMissing: true)
    require(catalog != nil, "the draft of a document is not a valid catalog")
}

/// Runs `larder check` and `larder catalog show` on the text, and checks that no secret is shown.
private func look(at text: [UInt8], _ secrets: SecretSource, isCatalog: Bool) {
    let check = CatalogCheck(text, secrets: secrets)
    require(isCatalog || check.faults != nil, "check accepts a catalog that the decoder refuses")
    require((check.catalog == nil) == (check.faults != nil), "a catalog with faults, or none without")
    if let faults = check.faults { checkFaults(faults.faults, in: text) }
    if !check.warnings.isEmpty { checkFaults(check.warnings, in: text) }
    guard isCatalog else { return }
    let planted = SecretSource(environment: { _ in "s3cr3t-planted" }, file: { _ in "s3cr3t-planted" })
    let shown = EffectiveCatalog.value(of: text, planted)
    guard case .object = shown else { return require(false, "a catalog is shown as no object") }
    // Catalog variables also come from the environment but are not secret. libFuzzer learns the compared texts and can
    // put the planted secret into an input itself.
    let input = String(decoding: text, as: UTF8.self)
    let isKnown = input.contains("var:") || input.contains("s3cr3t-planted")
    require(isKnown || !shown.text.contains("s3cr3t-planted"), "a secret is shown")
}

private func decode(_ text: [UInt8], _ secrets: SecretSource) -> Result<Catalog, CatalogFaults> {
    Result { () throws(CatalogFaults) in try CatalogDecoder.decode(text, secrets: secrets) }
}

private func checkCatalog(_ catalog: Catalog) {
    require(!catalog.apis.isEmpty && !catalog.resources.isEmpty, "an empty catalog")
    require(!catalog.secrets.contains(""), "an empty secret")
    for resource in catalog.resources {
        guard let api = catalog.api(of: resource) else { return require(false, "a resource without an API") }
        let key = FingerprintKey.random()
        require(
            ResourceKey(resource, of: api, key: key) == ResourceKey(resource, of: api, key: key),
            "a key differs from itself")
        require((try? JSONDocument(resource.declaration)) != nil, "a declaration is no JSON")
        require(resource.cache.freshFor ?? 0 >= 0 && resource.cache.keepFor ?? 0 >= 0, "a negative duration")
        if case .rest(let operations) = resource.transport { operations.templates.forEach { checkPath($0.path) } }
    }
    for api in catalog.apis {
        let scheme = api.baseURL.prefix { $0 != ":" }.lowercased()
        require(scheme == "http" || scheme == "https", "the URL \(api.baseURL)")
        require(api.timeout > 0 && api.maxConcurrent > 0 && api.maxBodySize > 0, "an API that can do nothing")
    }
}

/// Checks that an id stays in its segment of the path.
private func checkPath(_ path: PathTemplate) {
    func slashes(_ text: String) -> Int { text.utf8.count { $0 == UInt8(ascii: "/") } }
    for id in ["1", "../a/b", "..", "a?b#c", "\u{E9}\n"] {
        guard let text = try? path.path(PlaceholderValues(ids: [id], scope: nil)) else { continue }
        require(slashes(text) == slashes(path.text), "the id \(id) leaves its segment in \(path.text)")
        require(!text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }, "\(text) has blanks or control characters")
    }
}

/// Checks that every fault has a position in the text, and a message of one line for `file:line:column: message`.
private func checkFaults(_ faults: [CatalogFault], in text: [UInt8]) {
    require(!faults.isEmpty, "refused without a fault")
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var last = (line: 1, column: 1)
    for fault in faults {
        let place = (line: fault.position.line, column: fault.position.column)
        require((1...lines.count).contains(place.line), "a fault in line \(place.line) of \(lines.count)")
        // The position may be just after the last byte of a line, where more text was expected.
        require((1...lines[place.line - 1].count + 1).contains(place.column), "a fault in column \(place.column)")
        require(place >= last, "the faults are not in the order of the text")
        require(!fault.message.isEmpty, "a fault without a message")
        requireOneLine(Array(fault.description(file: "catalog.jsonc").utf8))
        last = place
    }
}

/// Mutates an input for libFuzzer.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateCatalog(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: UInt32) -> Int {
    mutateJSON(data, count, capacity, seed: seed)
}
