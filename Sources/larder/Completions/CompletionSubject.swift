import Catalog
import DataSources
import Protocol
import RPCServer
import System

/// The catalog that a command line selects, with its resources and methods. If the catalog cannot be loaded, there are
/// no completions and no error is reported.
///
/// Loading the catalog makes no requests, and reads neither secrets nor the cache file.
struct CompletionSubject {
    /// The loaded catalog and its origin; nil if the catalog cannot be loaded.
    let loaded: CatalogLoader.Loaded?
    private let router: Router?

    var catalog: Catalog? { loaded?.catalog }

    init(_ options: CommandOptions, _ environment: Environment) {
        var options = options
        options.isPersistent = false
        options.shared = ""
        options.record = nil
        options.replay = nil
        // `--base-url` is ignored, because this catalog would not load if the option names an API of another catalog.
        options.baseURLs = []
        options.logLevel = .error
        do throws(StartupError) {
            let loaded = try Self.load(CatalogLoader(options: options.process, environment: environment))
            let process = try Container.process(options.process, environment: environment, loop: .shared, given: loaded)
            (self.loaded, router) = (loaded, process.serving.current.router)
        } catch {
            loaded = nil
            router = nil
        }
    }

    private static func load(_ loader: CatalogLoader) throws(StartupError) -> CatalogLoader.Loaded {
        try CatalogSet(loader).combined { (loader) throws(StartupError) in try loadOne(loader) }
    }

    private static func loadOne(_ loader: CatalogLoader) throws(StartupError) -> CatalogLoader.Loaded {
        let (bytes, origin) = try loader.text()
        do throws(CatalogFaults) {
            let secrets = SecretSource(
                variable: loader.environment.bytes, contents: { _ in nil }, given: loader.options.variables)
            return CatalogLoader.Loaded(
                catalog: try CatalogDecoder.decode(
                    bytes, secrets: secrets, includes: loader.includes(of: nil), toleratesMissing: true),
                origin: origin)
        } catch {
            throw StartupError(exitCode: ExitCode.config, lines: [])
        }
    }

    /// The names and summaries of all methods that return a result.
    var methods: [(name: String, summary: String)] {
        (router?.methods ?? []).compactMap { name in
            let handler = router?.handler(named: name) as? any Handler
            // The list omits notifications, because `larder call` could not print a result.
            return handler.flatMap { $0.description.result == nil ? nil : (name, $0.description.summary) }
        }
    }

    /// Returns the parameters of a method; empty for an unknown method.
    func parameters(of method: String) -> [ParameterDescription] {
        (router?.handler(named: method) as? any Handler)?.parameters ?? []
    }

    func resource(_ name: String) -> ResourceDefinition? { catalog?.resources.first { $0.name == name } }
}
