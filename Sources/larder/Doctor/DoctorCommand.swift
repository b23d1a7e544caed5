import Catalog
import DataSources
import JSON
import RPCServer
import System

/// `larder doctor`: checks that Larder works with the given options, and suggests fixes for problems.
enum DoctorCommand {
    /// The checks, in the order of the output.
    private static let checks: [any DoctorCheckContract] = [
        DoctorCacheCheck(), DoctorCatalogCheck(), DoctorSecretsCheck(), DoctorNetworkCheck(), DoctorSharedCheck(),
    ]

    /// Runs all checks. Returns the output and the exit code.
    ///
    /// - Throws: `StartupError` if the options are invalid, or if no thread can be started.
    static func run(
        _ options: CommandOptions, _ environment: Environment
    ) throws(StartupError) -> (text: String, code: Int32) {
        let findings = try findings(options, environment)
        let code = findings.contains { $0.kind == .fault } ? ExitCode.failure : ExitCode.success
        if options.isJSON { return (JSONValue.array(findings.map(\.json)).text + "\n", code) }
        return (findings.map { $0.line + "\n" }.joined(), code)
    }

    private static func findings(
        _ options: CommandOptions, _ environment: Environment
    ) throws(StartupError) -> [DoctorFinding] {
        var options = options
        // The checks report the causes of these warnings, so the log does not need them.
        if options.logLevel == .warning { options.logLevel = .error }
        let named = try? SharedOptions.named(options.process, environment)
        var sharedFault: String?
        do throws(StartupError) {
            _ = try SharedOptions.settings(options.process, environment)
        } catch {
            sharedFault = error.messages.joined(separator: " ")
            options.shared = ""
        }
        let loader = CatalogLoader(options: options.process, environment: environment)
        let catalog = DoctorCatalog.read(loader)
        let loaded =
            if let found = catalog.catalog {
                try loader.load(found, from: catalog.origin)
            } else {
                try substitute()
            }
        let process = try Container.process(options.process, environment: environment, loop: .shared, given: loaded)
        let subject = DoctorSubject(
            process: process, catalog: catalog, apis: catalog.catalog == nil ? [] : loaded.catalog.apis,
            sharedFault: sharedFault, sharedPasswordOrigin: named?.url.password == nil ? nil : named?.origin)
        let found = Blocking.value { () async -> [DoctorFinding] in
            var findings: [DoctorFinding] = []
            for check in checks { findings += await check.findings(for: subject) }
            await process.close(within: .seconds(1))
            return findings
        }
        guard let found else {
            throw StartupError(exitCode: ExitCode.failure, lines: ["larder: \(Thread.shortage)"])
        }
        return found
    }

    /// Returns the built-in catalog, which the remaining checks use instead of a faulty catalog.
    private static func substitute() throws(StartupError) -> CatalogLoader.Loaded {
        do throws(CatalogFaults) {
            return CatalogLoader.Loaded(catalog: try ShippedCatalog.builtIn.decode(), origin: "built-in")
        } catch {
            throw StartupError(exitCode: ExitCode.config, lines: error.lines(file: "built-in"))
        }
    }
}
