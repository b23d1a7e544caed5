import CatalogTools
import DataSources
import RPCServer
import System

/// `larder catalog infer URL` and `larder catalog import FILE`: drafts a catalog from an API's response, or from an
/// OpenAPI document.
enum DraftCommand {
    /// Returns a draft from the response of `url`.
    ///
    /// - Throws: `StartupError` if the request fails or no draft can be made from the response.
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

    /// Returns a draft from the OpenAPI document in a file.
    ///
    /// - Throws: `StartupError` if the file cannot be read or no draft can be made from it.
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
