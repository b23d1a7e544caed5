import DataSources
import System

/// `larder catalog infer URL` and `larder catalog import FILE`: a catalog of what an API answers, or of what its
/// document says.
enum DraftCommand {
    /// The draft of what an API answers.
    static func infer(
        _ url: String, _ options: Options, _ environment: Environment
    ) throws(StartupError) -> String {
        let (inference, close) = Container.inference(options, environment)
        let result = Monitor<Result<String, CatalogDraftError>?>(nil)
        guard EventLoop.shared.isReady else {
            throw StartupError(exitCode: ExitCode.failure, lines: ["larder: \(Thread.shortage)"])
        }
        Task(executorPreference: EventLoop.shared) {
            let made: Result<String, CatalogDraftError>
            do throws(CatalogDraftError) {
                made = .success(
                    try await inference.draft(url, headers: options.headers, graphQL: options.graphQLType))
            } catch {
                made = .failure(error)
            }
            result.change { $0 = made }
        }
        let made = result.wait(until: { $0 != nil }, then: { $0 })
        close()
        switch made {
        case .success(let text): return text
        case .failure(let error):
            throw StartupError(exitCode: ExitCode.failure, lines: ["larder: \(error.message)"])
        case nil: return ""
        }
    }

    /// The draft of what a document says.
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
