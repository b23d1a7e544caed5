import Catalog
import DataSources
import RPCServer
import System

/// The file `config.jsonc` in the configuration folder, with the user's defaults for command-line options.
struct SettingsFile {
    let path: FilePath

    /// Finds the settings file. Returns nil if there is no home folder or no such file.
    init?(_ environment: Environment) {
        guard let folder = environment.configDirectory else { return nil }
        path = folder + "/config.jsonc"
        guard Files.exists(path) else { return nil }
    }

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - checkCatalog: returns the fault of a catalog; nil if there is none. By default, all catalogs are accepted.
    ///   - checkColumns: checks the columns of a resource. By default, all columns are accepted.
    /// - Throws: `StartupError` if the file cannot be read, belongs to another user, or has faults.
    func read(
        checkCatalog: (String) -> String? = { _ in nil },
        checkColumns: (String, [String], (Int?, String) -> Void) -> Void = { _, _, _ in }
    ) throws(StartupError) -> Settings {
        if let reason = FileTrust.found.refusal(of: path) {
            throw StartupError(
                exitCode: ExitCode.config, lines: ["larder: cannot use the settings \(path): \(reason)"])
        }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile.read(path)
        } catch {
            throw StartupError(exitCode: ExitCode.config, lines: ["larder: the settings: \(error.message)"])
        }
        do throws(CatalogFaults) {
            return try SettingsDecoder.decode(
                bytes, colors: ColourChoice.allCases.map(\.rawValue), checkCatalog: checkCatalog,
                checkColumns: checkColumns)
        } catch {
            throw StartupError(exitCode: ExitCode.config, lines: error.lines(file: path.description))
        }
    }

    /// Checks the settings file. Also checks that the catalogs in the settings can be read, and that they declare the
    /// columns. Returns the faults, one on each line, and the exit code.
    func check(_ environment: Environment) -> (text: String, code: Int32) {
        do throws(StartupError) {
            var options = CommandOptions()
            try apply(to: &options)
            let given = options
            let loader = CatalogLoader(options: given.process, environment: environment)
            _ = try read(
                checkCatalog: { loader.unreadable(catalogPath($0)) },
                checkColumns: { ColumnCheck.check($0, $1, given, environment, $2) })
            return ("\(path): no faults\n", ExitCode.success)
        } catch {
            return (error.lines.map { $0 + "\n" }.joined(), error.exitCode)
        }
    }

    /// Checks the catalogs in use, and the settings file. Reports the faults of the settings on stderr. Returns the
    /// text about the catalogs, and the exit code.
    ///
    /// - Throws: `StartupError` if the settings have no faults, but a catalog cannot be read.
    func checkWithCatalogs(
        _ options: CommandOptions, _ environment: Environment
    ) throws(StartupError) -> (text: String, code: Int32) {
        let settings = check(environment)
        guard settings.code != ExitCode.success else { return try CheckCommand.run(nil, options, environment) }
        var text = ""
        do throws(StartupError) {
            text = try CheckCommand.run(nil, options, environment).text
        } catch {
            // The faults of the settings include an unreadable catalog, with its position.
            for line in error.lines where !line.hasPrefix("larder: the catalog in \(path): ") {
                ErrorStream.fail(line + "\n")
            }
        }
        ErrorStream.show(settings.text)
        return (text, settings.code)
    }

    /// Sets the default values of command-line options to the values in the settings.
    ///
    /// - Throws: `StartupError` if the settings cannot be read or have faults.
    func apply(to options: inout CommandOptions) throws(StartupError) {
        let settings = try read()
        options.process.defaultCatalogs = settings.catalogs.map { catalogPath($0) }
        options.people.colour = settings.color.flatMap { ColourChoice(rawValue: $0) } ?? options.people.colour
        options.people.columns = settings.columns
        (options.people.settings, options.process.settings) = (path, path)
    }

    /// Returns the path of a catalog in the settings. A relative path is relative to the folder of the settings file.
    /// The name of a catalog stays unchanged.
    private func catalogPath(_ catalog: String) -> FilePath {
        catalog.utf8.contains(UInt8(ascii: "/")) && !catalog.hasPrefix("/")
            ? path.parent + FilePath("/\(catalog)") : FilePath(catalog)
    }
}

extension Command {
    /// Whether the command uses the settings. Commands that do not use the settings work even if the settings file has
    /// faults.
    var usesSettings: Bool {
        switch self {
        case .help, .topic, .show, .version, .complete, .remove: false
        case .check(let path, _): path == nil
        default: true
        }
    }
}
