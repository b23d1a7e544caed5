import CatalogTools
import DataSources
import RPCServer
import System

/// `larder catalog infer URL` and `larder catalog import FILE`: create a draft catalog from an API's response or from
/// an OpenAPI document.
enum DraftCommand {
    /// Returns a draft catalog that describes the response of `url`.
    ///
    /// - Throws: `StartupError` if the request fails or the response is unsuitable for a catalog.
    static func infer(
        _ url: String, _ options: CommandOptions, _ environment: Environment
    ) throws(StartupError) -> String {
        let (client, hidden, close) = Container.client(options.process, environment)
        let inference = CatalogInference(
            client: client, explain: { HTTPErrorMapper(redactor: $1).map($0).message },
            secrets: environment.secrets(variables: options.variables), hidden: hidden)
        let made = Blocking.value { () async -> Result<String, CatalogDraftError> in
            do throws(CatalogDraftError) {
                return .success(
                    try await inference.draft(url, headers: options.headers, graphQL: options.graphQLType))
            } catch {
                return .failure(error)
            }
        }
        close()
        switch made {
        case .success(let text): return text
        case .failure(let error):
            throw StartupError(exitCode: ExitCode.failure, lines: ["larder: \(error.message)"])
        case nil: throw StartupError(exitCode: ExitCode.failure, lines: ["larder: \(Thread.shortage)"])
        }
    }

    /// Returns a draft catalog that describes the API in an OpenAPI document.
    ///
    /// - Throws: `StartupError` if the file cannot be read or the document is unsuitable for a catalog.
    static func draft(of path: FilePath) throws(StartupError) -> String {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile.read(path, atMost: CatalogImport.largest)
        } catch {
            throw StartupError(exitCode: ExitCode.failure, lines: ["larder: \(error.message)"])
        }
        do throws(CatalogDraftError) {
            return try CatalogImport.draft(bytes)
        } catch {
            throw StartupError(exitCode: ExitCode.failure, lines: ["larder: \(path): \(error.message)"])
        }
    }
}
