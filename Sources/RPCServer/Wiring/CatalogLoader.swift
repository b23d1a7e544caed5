import Catalog
import DataSources
import System

/// Determines which catalog the user wants, and loads that catalog.
package struct CatalogLoader {
    package let options: Options
    package let environment: Environment

    package init(options: Options, environment: Environment) {
        self.options = options
        self.environment = environment
    }

    /// The catalogs from `--catalog` or, without this option, from the user's settings. The array is empty if the
    /// environment variable `LARDER_CATALOG` replaces the settings.
    var catalogs: [FilePath] {
        let isNamed = !options.catalogs.isEmpty || environment.bytes("LARDER_CATALOG") != nil
        return isNamed ? options.catalogs : options.defaultCatalogs
    }

    /// The names or paths of the catalogs in use.
    package var namesInUse: [FilePath] {
        catalogs.isEmpty ? [place?.path ?? FilePath(ShippedCatalog.builtIn.name)] : catalogs
    }

    /// A loaded catalog with its origin: a path or `built-in`.
    package struct Loaded {
        package let catalog: Catalog
        package let origin: String
        /// The files to watch for changes: the catalog, the included files and the files with secrets. The catalog is
        /// watched even if it does not exist yet.
        var files: [WatchedFile] = []

        package init(catalog: Catalog, origin: String, files: [WatchedFile] = []) {
            self.catalog = catalog
            self.origin = origin
            self.files = files
        }
    }

    /// Loads the catalogs that `--catalog` names, and combines several catalogs into one. Without this option, the
    /// catalog comes from `LARDER_CATALOG`, the user's settings, the configuration folder or the program itself, in
    /// this order of precedence.
    ///
    /// - Parameter onFile: called with each file that the catalog names, even if the catalog is invalid.
    /// - Throws: `StartupError` with all errors of the catalog and their positions, or with the error in `--base-url`
    ///   or `--var`.
    package func load(_ onFile: @escaping @Sendable (FilePath) -> Void = { _ in }) throws(StartupError) -> Loaded {
        let read = try CatalogSet(self).combined { (loader) throws(StartupError) in try loader.read(onFile) }
        return try reached(read)
    }

    /// Applies `--base-url` to a decoded catalog and checks the variables of `--var`.
    package func load(_ catalog: Catalog, from origin: String) throws(StartupError) -> Loaded {
        try reached(Loaded(catalog: catalog, origin: origin))
    }

    /// Checks that the catalog declares every variable that `--var` sets.
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

    /// Returns the text of a catalog and its origin.
    ///
    /// - Parameter path: the path of the catalog; nil for the catalog that the options and the environment determine.
    package func text(of path: FilePath? = nil) throws(StartupError) -> (bytes: [UInt8], origin: String) {
        guard let place = path.map(place(of:)) ?? place else { return (ShippedCatalog.builtIn.text, "built-in") }
        if let shipped = shipped(place) { return (shipped.text, shipped.name) }
        return (try text(at: place), place.path.description)
    }

    /// Returns a reader for the files that a catalog includes. An included file must pass the same checks as the
    /// catalog.
    ///
    /// - Parameters:
    ///   - path: the path of the catalog; nil for the catalog that the options and the environment determine.
    ///   - onFile: called with the path of each included file.
    package func includes(
        of path: FilePath?, _ onFile: @escaping @Sendable (FilePath) -> Void = { _ in }
    ) -> IncludeSource {
        guard let place = path.map(place(of:)) ?? place else { return .none }
        return IncludeSource(of: place.path) { (path) throws(FileError) in
            onFile(path)
            if let reason = place.trust.refusal(of: path) { throw FileError(message: "\(path) is refused: \(reason)") }
            return try InputFile.read(path)
        }
    }

    /// Returns the path of a catalog, and the checks that the file must pass. Accepts a path or a catalog's name.
    private func place(of path: FilePath) -> Places.Place {
        Self.own(path, environment).map { Places.Place(path: $0, trust: .found) }
            ?? Places.Place(path: path, trust: .named)
    }

    /// Returns the file of the catalog with the given path or name; nil for a shipped catalog, which is not a file.
    package func file(of path: FilePath) -> FilePath? {
        let place = place(of: path)
        return shipped(place) == nil ? place.path : nil
    }

    /// The file of the catalog that the options and the environment determine; nil for the built-in catalog.
    package var place: Places.Place? {
        Places(options, environment).catalog.flatMap { $0.trust == .named || Files.exists($0.path) ? $0 : nil }
    }

    /// Whether a string is a valid name of a catalog: at most 64 ASCII letters, digits, `-` and `_`. The first
    /// character must be a letter or a digit.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
        func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        return isPlain(first)
            && text.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }

    /// Returns the file in the configuration folder with the given name and the extension `jsonc`. Nil if there is no
    /// such file, or if a shipped catalog has this name.
    static func own(_ name: FilePath, _ environment: Environment) -> FilePath? {
        let text = name.description
        guard isName(text), ShippedCatalog.named(text) == nil, let folder = environment.configDirectory else {
            return nil
        }
        let path = folder + FilePath("/\(text).jsonc")
        return Files.exists(path) ? path : nil
    }

    /// Returns the shipped catalog that the user named with `--catalog` or `LARDER_CATALOG`; nil if the user named a
    /// path.
    package func shipped(_ place: Places.Place) -> ShippedCatalog? {
        place.trust == .named ? ShippedCatalog.named(place.path.description) : nil
    }

    func read(_ onFile: @escaping @Sendable (FilePath) -> Void) throws(StartupError) -> Loaded {
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
                bytes, secrets: secrets, includes: includes(of: nil, note), toleratesMissing: true)
        }
        return Loaded(catalog: catalog, origin: origin, files: [own] + files.withLock { $0 })
    }

    private func text(at place: Places.Place) throws(StartupError) -> [UInt8] {
        let path = place.path
        if let reason = place.trust.refusal(of: path) {
            let instead = place.trust == .named ? "" : "; to use it anyway, name it with --catalog"
            throw StartupError(
                exitCode: ExitCode.config,
                lines: ["larder: cannot use the catalog \(path): \(reason)\(instead)"])
        }
        let source = options.defaultCatalogs.contains(path) ? options.settings.map { " in \($0)" } ?? "" : ""
        do throws(FileError) {
            return try InputFile.read(path)
        } catch {
            throw StartupError(
                exitCode: ExitCode.config,
                lines: ["larder: the catalog\(source): \(error.message)\(hint(path))"])
        }
    }

    /// Returns the error message for a catalog that cannot be read; nil if the catalog can be read.
    package func unreadable(_ path: FilePath) -> String? {
        let place = place(of: path)
        if shipped(place) != nil { return nil }
        do throws(FileError) {
            _ = try InputFile.read(place.path)
            return nil
        } catch {
            return error.message + hint(path)
        }
    }

    /// Returns the sorted names of the user's own catalogs: the files `NAME.jsonc` in the configuration folder.
    package static func ownNames(in folder: FilePath) -> [String] {
        ((try? Files.list(folder)) ?? []).map(\.description).compactMap { file in
            guard file.hasSuffix(".jsonc") else { return nil }
            let name = String(file.dropLast(".jsonc".count))
            return isName(name) && !reserved.contains(name) ? name : nil
        }
    }

    /// The names that the user's own catalogs cannot have. In the configuration folder, `catalog.jsonc` is the default
    /// catalog, and `config.jsonc` contains the settings.
    package static let reserved: Set = ["catalog", "config"]

    /// Returns a hint with the most similar name of a catalog; empty if the argument is a path.
    private func hint(_ path: FilePath) -> String {
        if path.bytes.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }) { return "" }
        let own = environment.configDirectory.map { Self.ownNames(in: $0) } ?? []
        if let name = Suggestion.nearest(to: path.description, in: own + ShippedCatalog.all.map(\.name)) {
            return own.contains(name) ? "; did you mean '\(name)'?" : "; did you mean the shipped catalog '\(name)'?"
        }
        return "; 'larder catalogs' lists the known catalogs"
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
