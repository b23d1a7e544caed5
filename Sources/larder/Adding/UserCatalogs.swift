import Catalog
import RPCServer
import System

/// The catalogs that the user has added: the files `NAME.jsonc` in the configuration folder.
struct UserCatalogs {
    let folder: FilePath

    /// Finds the configuration folder.
    ///
    /// - Throws: `StartupError` if there is no home folder.
    init(_ environment: Environment) throws(StartupError) {
        guard let folder = environment.configDirectory else {
            throw StartupError(
                exitCode: ExitCode.failure,
                lines: ["larder: there is no folder for catalogs: set HOME or XDG_CONFIG_HOME"])
        }
        self.folder = folder
    }

    func path(of name: String) -> FilePath { folder + FilePath("/\(name).jsonc") }

    /// The sorted names of the user's catalogs.
    var names: [String] { CatalogLoader.ownNames(in: folder) }

    /// Whether a string is a valid catalog name: at most 64 letters, digits, `-` and `_`.
    static func isName(_ text: String) -> Bool { CatalogLoader.isName(text) }

    /// Returns the reason why a name is not allowed for a new catalog; nil if it is allowed.
    static func refusal(of name: String) -> String? {
        if !isName(name) {
            return "use up to 64 letters, digits, '-' and '_', with a letter or digit first"
        }
        if CatalogLoader.reserved.contains(name) {
            return "larder itself uses the file \(name).jsonc; choose another name"
        }
        if ShippedCatalog.named(name) != nil { return "larder ships a catalog with this name; choose another name" }
        return nil
    }
}
