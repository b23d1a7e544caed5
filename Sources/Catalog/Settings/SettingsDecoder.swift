import JSON

/// Decodes the settings file: `{"catalog": NAME or [NAME, ...], "color": WHEN, "columns": {RESOURCE: [FIELD, ...]}}`.
public enum SettingsDecoder {
    private static let keys = ["catalog", "color", "columns"]

    /// Decodes settings from JSON with comments.
    ///
    /// - Parameters:
    ///   - bytes: the UTF-8 text of the file.
    ///   - colors: the allowed values of `color`.
    ///   - checkCatalog: returns the error of a catalog's name or path; nil if there is none.
    ///   - checkColumns: checks the columns of a resource and reports each error with `fault`. The first argument of
    ///     `fault` is the index of the invalid field; nil if the name of the resource is invalid.
    /// - Throws: `CatalogFaults` with all errors and their positions.
    public static func decode(
        _ bytes: [UInt8], colors: [String], checkCatalog: (_ catalog: String) -> String? = { _ in nil },
        checkColumns: (_ resource: String, _ fields: [String], _ fault: (Int?, String) -> Void) -> Void = { _, _, _ in }
    ) throws(CatalogFaults) -> Settings {
        let reader = CatalogReader(
            bytes, secrets: SecretSource(variable: { _ in nil }, contents: { _ in nil }))
        var settings = Settings()
        do throws(JSONFault) {
            let document = try JSONDocument(skippingBOM: bytes, as: .jsonc)
            document.withRoot { root in
                guard let object = reader.object(root, "the settings file", keys: keys) else { return }
                settings.catalogs =
                    object.value("catalog", "the name or path of a catalog, or an array of names and paths") { view in
                        view.kind == .string ? view.string.flatMap { names([$0]) } : names(of: view)
                    } ?? []
                if !settings.catalogs.isEmpty, let view = object["catalog"] {
                    let places = view.kind == .array ? Array(view.elements) : [view]
                    for (catalog, place) in zip(settings.catalogs, places) {
                        if let message = checkCatalog(catalog) { reader.fault("the catalog: \(message)", at: place) }
                    }
                }
                settings.color = object.value("color", "one of \(colors.map { "\"\($0)\"" }.joined(separator: ", "))") {
                    $0.string.flatMap { colors.contains($0) ? $0 : nil }
                }
                guard object["columns"] != nil else { return }
                for member in object.named("columns", isRequired: false) {
                    let columns = names(of: member.value)
                    if columns == nil {
                        reader.fault(
                            "'\(member.name)' must be an array of field names, such as [\"id\", \"name\"]",
                            at: member.value)
                    }
                    settings.columns[member.name] = columns
                    checkColumns(member.name, columns ?? []) { field, message in
                        var place = member.key
                        for (index, view) in member.value.elements.enumerated() where index == field { place = view }
                        reader.fault(message, at: place)
                    }
                }
            }
        } catch {
            reader.fault(error.reason, atOffset: error.offset)
        }
        guard reader.faults.isEmpty else { throw reader.faults.faults(in: reader.files) }
        return settings
    }

    /// Returns an array of non-empty strings. Returns nil for an empty array and for any other value.
    private static func names(of view: JSONView) -> [String]? {
        guard view.kind == .array else { return nil }
        let strings = view.elements.map { $0.kind == .string ? $0.string ?? "" : "" }
        return names(strings)
    }

    private static func names(_ names: [String]) -> [String]? {
        names.isEmpty || names.contains("") ? nil : names
    }
}
