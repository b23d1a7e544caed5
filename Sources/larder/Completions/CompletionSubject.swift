import Catalog
import DataSources
import Protocol
import RPCServer
import System

/// What a command line is about, as far as completions ask: the catalog that its options name, and its methods. Nothing
/// is fetched, no secret and no file of the cache is read, and nothing is told: where there is no catalog to be had,
/// there is nothing to complete of it.
struct CompletionSubject {
    let catalog: Catalog?
    private let router: Router?

    init(_ options: CommandOptions, _ environment: Environment) {
        var options = options
        options.isPersistent = false
        options.shared = ""
        options.record = nil
        options.replay = nil
        // It may be one of another catalog's.
        options.baseURLs = []
        options.logLevel = .error
        do throws(StartupError) {
            let loaded = try Self.load(CatalogLoader(options: options.process, environment: environment))
            let process = try Container.process(options.process, environment: environment, loop: .shared, given: loaded)
            (catalog, router) = (loaded.catalog, process.serving.current.router)
        } catch {
            catalog = nil
            router = nil
        }
    }

    private static func load(_ loader: CatalogLoader) throws(StartupError) -> CatalogLoader.Loaded {
        let (bytes, origin) = try loader.text()
        do throws(CatalogFaults) {
            let secrets = SecretSource(
                variable: loader.environment.bytes, contents: { _ in nil }, given: loader.options.variables)
            return CatalogLoader.Loaded(
                catalog: try CatalogDecoder.decode(
                    bytes, secrets: secrets, includes: loader.includes(of: nil), toleratesAbsence: true),
                origin: origin)
        } catch {
            throw StartupError(exitCode: ExitCode.config, lines: [])
        }
    }

    /// The names of all methods, each with what it does.
    var methods: [(name: String, summary: String)] {
        (router?.methods ?? []).compactMap { name in
            let handler = router?.handler(named: name) as? any Handler
            // What is a notification has no result that could be shown.
            return handler.flatMap { $0.description.result == nil ? nil : (name, $0.description.summary) }
        }
    }

    /// The params of a method; none where there is no such.
    func parameters(of method: String) -> [ParameterDescription] {
        (router?.handler(named: method) as? any Handler)?.parameters ?? []
    }

    func resource(_ name: String) -> ResourceDefinition? { catalog?.resources.first { $0.name == name } }
}
