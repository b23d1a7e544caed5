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
    /// - Parameter check: checks the columns of a resource. By default, all columns are accepted.
    /// - Throws: `StartupError` if the file cannot be read, belongs to another user, or has faults.
    func read(
        _ check: (String, [String], (Int?, String) -> Void) -> Void = { _, _, _ in }
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
                bytes, colors: ColourChoice.allCases.map(\.rawValue), checkColumns: check)
        } catch {
            throw StartupError(exitCode: ExitCode.config, lines: error.lines(file: path.description))
        }
    }

    /// Checks the settings file. Also checks that the catalogs declare the columns in the settings. Returns the faults,
    /// one on each line, and the exit code.
    func check(_ environment: Environment) -> (text: String, code: Int32) {
        do throws(StartupError) {
            var options = CommandOptions()
            try apply(to: &options)
            let given = options
            _ = try read { ColumnCheck.check($0, $1, given, environment, $2) }
            return ("\(path): no faults\n", ExitCode.success)
        } catch {
            return (error.lines.map { $0 + "\n" }.joined(), error.exitCode)
        }
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
