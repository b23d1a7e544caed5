import DataSources
import JSON
import System

/// `larder check [FILE]`: every fault of a catalog at once, and what its author hardly means. It asks no API.
enum CheckCommand {
    /// What is shown, and the exit code.
    ///
    /// - Parameter path: the catalog; the one that would be served where nil.
    static func run(
        _ path: FilePath?, _ options: Options, _ environment: Environment
    ) throws(StartupError) -> (text: String, code: Int32) {
        let loader = CatalogLoader(options: options, environment: environment)
        let (bytes, origin) = try loader.text(of: path)
        let check = CatalogCheck(
            bytes, secrets: environment.secrets(variables: options.variables), includes: loader.includes(of: path))
        let code = check.faults == nil ? ExitCode.success : ExitCode.config
        return (options.isJSON ? json(check, origin) + "\n" : lines(check, origin), code)
    }

    /// A line for each, as compilers write theirs, and one that says how it is all in all.
    private static func lines(_ check: CatalogCheck, _ origin: String) -> String {
        let warnings = check.warnings.map { $0.description(file: origin, kind: "warning: ") }
        let faults = check.faults?.lines(file: origin) ?? []
        return (faults + warnings + ["\(origin): \(summary(check))", ""]).joined(separator: "\n")
    }

    private static func summary(_ check: CatalogCheck) -> String {
        let warnings = counted(check.warnings.count, "warning")
        if let faults = check.faults { return counted(faults.faults.count + faults.more, "fault") }
        let declared = check.catalog.map { catalog in
            "\(counted(catalog.resources.count, "resource")) of \(counted(catalog.apis.count, "API"))"
        }
        return "\(declared ?? ""), no fault, \(warnings)"
    }

    private static func counted(_ count: Int, _ what: String) -> String {
        "\(count == 0 ? "no" : "\(count)") \(what)\(count == 1 ? "" : "s")"
    }

    /// `{"file", "faults": [{"line", "column", "message", "file"?}], "more", "warnings": [..]}`; `more` faults are not
    /// listed, and the `file` of one is an included one.
    private static func json(_ check: CatalogCheck, _ origin: String) -> String {
        func listed(_ faults: [CatalogFault]) -> JSONValue {
            .array(
                faults.map { fault in
                    let members: [(String, JSONValue)] = [
                        ("line", .integer(fault.position.line)), ("column", .integer(fault.position.column)),
                        ("message", .string(fault.message)),
                    ]
                    return .object(JSONObject(members + (fault.file.map { [("file", .string($0))] } ?? [])))
                })
        }
        let value: JSONValue = [
            "file": .string(origin), "faults": listed(check.faults?.faults ?? []),
            "more": .integer(check.faults?.more ?? 0), "warnings": listed(check.warnings),
        ]
        return value.text
    }
}
