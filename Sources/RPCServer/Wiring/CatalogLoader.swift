import DataSources
import System

/// Finds and reads the catalog.
struct CatalogLoader {
    let options: Options
    let environment: Environment

    /// A catalog, and where it came from: a path, or `built-in`.
    struct Loaded {
        let catalog: Catalog
        let origin: String
    }

    /// The catalog that was asked for: `--catalog`, else `LARDER_CATALOG`, else the one in the config folder, else the
    /// built-in one.
    ///
    /// - Throws: `StartupError` with every fault and its position, or with what is wrong with `--base-url`.
    func load() throws(StartupError) -> Loaded {
        let loaded = try read()
        do throws(CatalogOverrideError) {
            return Loaded(
                catalog: try loaded.catalog.reached(at: options.baseURLs.map { ($0.api, $0.url) }),
                origin: loaded.origin)
        } catch {
            throw StartupError(exitCode: ExitCode.usage, lines: ["larder: --base-url: \(error.message)"])
        }
    }

    private func read() throws(StartupError) -> Loaded {
        if let place = Places(options, environment).catalog, place.trust == .named || Files.exists(place.path) {
            return try read(place)
        }
        return Loaded(catalog: try faultless("built-in", BuiltInCatalog.decode), origin: "built-in")
    }

    private func read(_ place: Places.Place) throws(StartupError) -> Loaded {
        let path = place.path
        if let reason = place.trust.refusal(of: path) {
            let instead = place.trust == .named ? "" : "; if it is what you want, name it with --catalog"
            throw StartupError(
                exitCode: ExitCode.config,
                lines: ["larder: the catalog \(path) is refused: \(reason)\(instead)"])
        }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile.read(path)
        } catch {
            throw StartupError(
                exitCode: ExitCode.config, lines: ["larder: the catalog cannot be read: \(error.message)"])
        }
        let catalog = try faultless(path.description) { () throws(CatalogFaults) in
            try CatalogDecoder.decode(
                bytes, secrets: environment.secrets(variables: options.variables), toleratesAbsence: true)
        }
        return Loaded(catalog: catalog, origin: path.description)
    }

    private func faultless(
        _ path: String, _ decode: () throws(CatalogFaults) -> Catalog
    ) throws(StartupError) -> Catalog {
        do throws(CatalogFaults) {
            return try decode()
        } catch {
            throw StartupError(exitCode: ExitCode.config, lines: error.lines(file: path))
        }
    }
}
