import Catalog
import DataSources
import System

/// Finds and reads the catalog.
package struct CatalogLoader {
    package let options: Options
    package let environment: Environment

    package init(options: Options, environment: Environment) {
        self.options = options
        self.environment = environment
    }

    /// A catalog, and where it came from: a path, or `built-in`.
    package struct Loaded {
        package let catalog: Catalog
        let origin: String
        /// What a change of which changes it: its own, also one that is not there yet, those that it includes, and
        /// those of its secrets.
        var files: [WatchedFile] = []

        package init(catalog: Catalog, origin: String, files: [WatchedFile] = []) {
            self.catalog = catalog
            self.origin = origin
            self.files = files
        }
    }

    /// The catalog that was asked for: `--catalog`, else `LARDER_CATALOG`, else the one in the config folder, else the
    /// built-in one. Both may name one that comes with Larder; such a name is never a file's.
    ///
    /// - Parameter onFile: called with each file that it names, also where it is refused afterwards.
    /// - Throws: `StartupError` with every fault and its position, or with what is wrong with `--base-url` or `--var`.
    package func load(_ onFile: @escaping @Sendable (FilePath) -> Void = { _ in }) throws(StartupError) -> Loaded {
        try reached(try read(onFile))
    }

    /// The same of a catalog that was read and looked at.
    package func load(_ catalog: Catalog, from origin: String) throws(StartupError) -> Loaded {
        try reached(Loaded(catalog: catalog, origin: origin))
    }

    /// Looks whether the catalog has what `--var` gives values to.
    package func checkVariables(of catalog: Catalog) throws(StartupError) {
        do throws(CatalogOverrideError) {
            try catalog.checkVariables(Array(options.variables.keys))
        } catch {
            throw StartupError(exitCode: ExitCode.usage, lines: ["larder: --var: \(error.message)"])
        }
    }

    private func reached(_ loaded: Loaded) throws(StartupError) -> Loaded {
        try checkVariables(of: loaded.catalog)
        do throws(CatalogOverrideError) {
            return Loaded(
                catalog: try loaded.catalog.reached(at: options.baseURLs.map { ($0.api, $0.url) }),
                origin: loaded.origin, files: loaded.files)
        } catch {
            throw StartupError(exitCode: ExitCode.usage, lines: ["larder: --base-url: \(error.message)"])
        }
    }

    /// The text of a catalog, of the one that was asked for where no path is given, and where it came from.
    package func text(of path: FilePath? = nil) throws(StartupError) -> (bytes: [UInt8], origin: String) {
        guard let place = path.map({ Places.Place(path: $0, trust: .named) }) ?? place else {
            return (ShippedCatalog.builtIn.text, "built-in")
        }
        if let shipped = shipped(place) { return (shipped.text, shipped.name) }
        return (try text(at: place), place.path.description)
    }

    /// Where the files are that a catalog includes; they are trusted as it is itself.
    ///
    /// - Parameters:
    ///   - path: the catalog; nil for the one that was asked for.
    ///   - onFile: called with each of them.
    package func includes(
        of path: FilePath?, _ onFile: @escaping @Sendable (FilePath) -> Void = { _ in }
    ) -> IncludeSource {
        guard let place = path.map({ Places.Place(path: $0, trust: .named) }) ?? place else { return .none }
        return IncludeSource(of: place.path) { (path) throws(FileError) in
            onFile(path)
            if let reason = place.trust.refusal(of: path) { throw FileError(message: "\(path) is refused: \(reason)") }
            return try InputFile.read(path)
        }
    }

    /// Where the catalog is that was asked for; nil for the built-in one.
    package var place: Places.Place? {
        Places(options, environment).catalog.flatMap { $0.trust == .named || Files.exists($0.path) ? $0 : nil }
    }

    /// The catalog that comes with Larder under a name that somebody gave.
    package func shipped(_ place: Places.Place) -> ShippedCatalog? {
        place.trust == .named ? ShippedCatalog.named(place.path.description) : nil
    }

    private func read(_ onFile: @escaping @Sendable (FilePath) -> Void) throws(StartupError) -> Loaded {
        guard let place else {
            let standard = Places(options, environment).catalog.map { WatchedFile($0.path) }
            let catalog = try faultless("built-in") { () throws(CatalogFaults) in try ShippedCatalog.builtIn.decode() }
            return Loaded(catalog: catalog, origin: "built-in", files: standard.map { [$0] } ?? [])
        }
        let files = Lock<[WatchedFile]>([])
        let note: @Sendable (FilePath) -> Void = { path in
            files.withLock { $0.append(WatchedFile(path)) }
            onFile(path)
        }
        let secrets = environment.secrets(variables: options.variables, note)
        let origin = place.path.description
        if let shipped = shipped(place) {
            let catalog = try faultless(origin) { () throws(CatalogFaults) in try shipped.decode(secrets: secrets) }
            return Loaded(catalog: catalog, origin: origin, files: files.withLock { $0 })
        }
        let own = WatchedFile(place.path)
        let bytes = try text(at: place)
        let catalog = try faultless(origin) { () throws(CatalogFaults) in
            try CatalogDecoder.decode(
                bytes, secrets: secrets, includes: includes(of: nil, note), toleratesAbsence: true)
        }
        return Loaded(catalog: catalog, origin: origin, files: [own] + files.withLock { $0 })
    }

    private func text(at place: Places.Place) throws(StartupError) -> [UInt8] {
        let path = place.path
        if let reason = place.trust.refusal(of: path) {
            let instead = place.trust == .named ? "" : "; if it is what you want, name it with --catalog"
            throw StartupError(
                exitCode: ExitCode.config,
                lines: ["larder: the catalog \(path) is refused: \(reason)\(instead)"])
        }
        do throws(FileError) {
            return try InputFile.read(path)
        } catch {
            throw StartupError(
                exitCode: ExitCode.config,
                lines: ["larder: the catalog: \(error.message)\(Self.hint(path))"])
        }
    }

    /// What comes with Larder, for whom may have meant one of that.
    private static func hint(_ path: FilePath) -> String {
        if path.bytes.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }) { return "" }
        return "; the catalogs that come with larder: \(ShippedCatalog.all.map(\.name).joined(separator: ", "))"
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
