import DataSources
import JSON
import System

/// `larder catalog SUBCOMMAND`: what can be made of a catalog, and what a catalog can be made of. None but `infer` asks
/// anybody, and none runs a command that a catalog names.
enum CatalogCommand {
    /// What is shown, and the exit code.
    ///
    /// - Parameter words: what stands behind the subcommand.
    static func run(
        _ action: CatalogAction, _ words: [String], _ options: Options, _ environment: Environment
    ) throws(StartupError) -> (text: String, code: Int32) {
        switch action {
        case .infer: return (try DraftCommand.infer(words[0], options, environment), ExitCode.success)
        case .document: return (try DraftCommand.draft(of: FilePath(words[0])), ExitCode.success)
        case .show:
            let loader = CatalogLoader(options: options, environment: environment)
            let (bytes, origin) = try loader.text(of: words.first.map { FilePath($0) })
            let check = CatalogCheck(bytes, secrets: environment.secrets(variables: options.variables))
            if let faults = check.faults {
                throw StartupError(exitCode: ExitCode.config, lines: faults.lines(file: origin))
            }
            let redactor = Redactor(secrets: check.catalog?.secrets ?? [])
            return (redactor.redact(String(decoding: bytes, as: UTF8.self)), ExitCode.success)
        }
    }
}

/// What `larder catalog` does.
enum CatalogAction: String, CaseIterable {
    /// Prints a catalog as it is understood.
    case show
    /// Drafts a catalog of what an API answers.
    case infer
    /// Drafts a catalog of an OpenAPI document.
    case document = "import"

    /// How many words may follow, and what they are.
    var words: (range: ClosedRange<Int>, expected: String) {
        switch self {
        case .show: (0...1, "at most one file")
        case .infer: (1...1, "one URL")
        case .document: (1...1, "one file: an OpenAPI document in JSON")
        }
    }
}
