import Catalog
import CatalogTools
import DataSources
import JSON
import Model
import RPCServer
import Repositories
import System

/// `larder check [FILE]`: reports all faults of a catalog, and warnings about likely mistakes. If there are no faults,
/// `--live` also tests each operation of the catalog. Only `--live` makes requests.
enum CheckCommand {
    /// Checks one or more catalogs. Returns the output and the exit code. The output contains one section for each
    /// catalog.
    ///
    /// - Parameter path: the path of the catalog. If nil, checks the catalogs that the server would use.
    /// - Throws: `StartupError` if the catalog cannot be read, or if the live check cannot start.
    static func run(
        _ path: FilePath?, _ options: CommandOptions, _ environment: Environment
    ) throws(StartupError) -> (text: String, code: Int32) {
        var options = options
        if let path { options.process.catalog = path }
        let loader = CatalogLoader(options: options.process, environment: environment)
        var checked: [Checked] = []
        let moved = options.process.baseURLs.map(\.api)
        for member in try CatalogSet(loader).members { checked.append(try Checked(member, movedAPIs: moved)) }
        let parts = checked.compactMap { checked in
            checked.check.catalog.map { NamedCatalog(name: checked.name, origin: checked.origin, catalog: $0) }
        }
        var live: [LiveFinding]?
        if parts.count == checked.count {
            let catalog = Catalog(combining: parts)
            try loader.checkVariables(of: catalog)
            if options.isLive {
                let loaded = try loader.load(catalog, from: CatalogSet.origin(of: parts.map(\.origin)))
                live = try findings(loaded, options, environment) {
                    for line in checked.flatMap({ $0.secretDestinations(loaded.catalog) }) {
                        ErrorStream.show("larder: \(VisibleText.line(line))\n")
                    }
                }
            }
        }
        let code =
            parts.count < checked.count
            ? ExitCode.config : live?.contains(where: \.hasFailed) == true ? ExitCode.failure : ExitCode.success
        let texts = checked.map { checked in
            let own = live.map { live in live.filter { checked.declares($0.resource) } }
            return options.isJSON
                ? json(checked.check, own, checked.origin) + "\n" : lines(checked.check, own, checked.origin)
        }
        return (texts.joined(), code)
    }

    /// One catalog with the result of its check.
    private struct Checked {
        /// The prefix of the catalog's resource names; nil if there is only one catalog.
        let name: String?
        let origin: String
        let check: CatalogCheck
        private let bytes: [UInt8]
        private let secrets: SecretSource
        private let includes: IncludeSource

        /// Reads and checks a catalog.
        ///
        /// - Parameter movedAPIs: the names of the APIs whose base URL is replaced by `--base-url`.
        /// - Throws: `StartupError` if the catalog cannot be read.
        init(_ member: CatalogSet.Member, movedAPIs: [String]) throws(StartupError) {
            name = member.name
            (bytes, origin) = try member.loader.text()
            secrets = member.loader.environment.secrets(variables: member.loader.options.variables)
            includes = member.loader.includes(of: nil)
            let prefix = name.map { $0 + "." } ?? ""
            let moved = movedAPIs.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
            check = CatalogCheck(
                bytes, secrets: secrets, includes: includes, seesFiles: true, movedAPIs: Set(moved))
        }

        /// Whether a resource of the combined catalog comes from this catalog.
        func declares(_ resource: String) -> Bool { name.map { resource.hasPrefix("\($0).") } ?? true }

        /// Returns one line of text for each server to which the catalog sends secrets.
        ///
        /// - Parameter combined: the combined catalog, with the base URLs in use.
        func secretDestinations(_ combined: Catalog) -> [String] {
            SecretDestinations.lines(
                of: bytes, secrets: secrets, includes: includes, combined, prefix: name.map { $0 + "." } ?? "")
        }
    }

    /// Makes all corrections of a catalog file that are certain to be right, such as a changed type. Then checks the
    /// catalog in the same way as `run`.
    ///
    /// - Throws: `StartupError` if the catalog cannot be read or written, or if the live check cannot start.
    static func fix(
        _ path: FilePath, _ options: CommandOptions, _ environment: Environment
    ) throws(StartupError) -> (text: String, code: Int32) {
        let loader = CatalogLoader(options: options.process, environment: environment)
        guard let file = loader.file(of: path) else {
            throw StartupError(
                exitCode: ExitCode.usage,
                lines: [
                    "larder: '\(path)' is a shipped catalog, which --fix cannot change; copy the catalog to a file,"
                        + " then run 'larder check FILE --live --fix'"
                ])
        }
        let (mender, _) = try AddCommand.mended(file, options, environment, maxTried: nil)
        for mend in mender.mends { ErrorStream.show("larder: mended \(mend)\n") }
        return try run(file, options, environment)
    }

    /// Tests each operation of the catalog and returns the outcomes.
    ///
    /// - Parameters:
    ///   - maxTried: the maximum number of resources to test; nil for all resources.
    ///   - announce: called before the first request.
    static func findings(
        _ loaded: CatalogLoader.Loaded, _ options: CommandOptions, _ environment: Environment, maxTried: Int? = nil,
        _ announce: () -> Void
    ) throws(StartupError) -> [LiveFinding] {
        guard !options.isOffline else {
            throw StartupError(
                exitCode: ExitCode.usage,
                lines: ["larder: --live and --offline cannot be used together; remove one of them"])
        }
        var options = options
        options.isPersistent = false
        options.shared = ""
        let inputs = LiveInputs(options.given)
        if let fault = inputs.fault(for: loaded.catalog.resources) {
            throw StartupError(exitCode: ExitCode.usage, lines: ["larder: \(fault)"])
        }
        let log = ExchangeLog()
        let process = try Container.process(
            options.process, environment: environment, loop: .shared, given: loaded, watch: log.watch)
        let redactor = Redactor(
            secrets: loaded.catalog.secrets + process.remotes.secrets, learned: process.remotes.tokens.learned)
        let check = LiveCheck(
            Array(Container.repositories(loaded, redactor, process).prefix(maxTried ?? .max)), log: log, inputs: inputs,
            redactor: redactor)
        announce()
        let waiting = WaitingLine("", terminal: { Terminal(of: 2, environment) })
        guard
            let found = waiting.during({ Blocking.value(of: { await check.run { waiting.detail = "testing \($0)" } }) })
        else {
            throw StartupError(exitCode: ExitCode.failure, lines: ["larder: \(Thread.shortage)"])
        }
        return found
    }

    /// Returns the lines of the output. There is one line for each fault, warning and operation, in the format of
    /// compilers (`file:line:column: message`). Summary lines follow.
    private static func lines(_ check: CatalogCheck, _ live: [LiveFinding]?, _ origin: String) -> String {
        let warnings = check.warnings.map { $0.description(file: origin, kind: "warning: ") }
        let faults = check.faults?.lines(file: origin) ?? []
        var lines = faults + warnings + ["\(origin): \(summary(check))"]
        if let live {
            lines += live.flatMap(\.lines)
            let tried = live.filter { $0.notTried == nil }
            lines.append(
                "\(origin): \(counted(tried.count, "request")) tried, \(counted(live.filter(\.hasFailed).count, "failure")),"
                    + " \(live.count - tried.count) not tried")
        }
        return (lines + [""]).joined(separator: "\n")
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

    /// Returns the output as `{"file", "faults": [{"line", "column", "message", "file"?}], "more", "warnings": [..],
    /// "live"?}`. The value of `more` is the number of omitted faults. The member `file` of a fault names the included
    /// file that contains the fault.
    private static func json(_ check: CatalogCheck, _ live: [LiveFinding]?, _ origin: String) -> String {
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
        var object = JSONObject([
            ("file", .string(origin)), ("faults", listed(check.faults?.faults ?? [])),
            ("more", .integer(check.faults?.more ?? 0)), ("warnings", listed(check.warnings)),
        ])
        if let live { object["live"] = .array(live.map(\.json)) }
        return JSONValue.object(object).text
    }
}
