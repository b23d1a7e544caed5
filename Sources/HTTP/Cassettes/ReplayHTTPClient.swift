import Model
import System

/// Answers requests from the cassettes in a folder, without a network.
///
/// The folder is read once, at the first request. Every file whose name ends in `.json` must be a cassette.
public final class ReplayHTTPClient: HTTPTransportContract {
    private typealias Index = Result<[CassetteRequest: HTTPResponse], HTTPError>

    private let directory: FilePath
    private let scrubber: CassetteScrubber
    private let index = Lock<Index?>(nil)

    /// Creates a client that replays cassettes.
    ///
    /// - Parameters:
    ///   - directory: the folder with the cassettes.
    ///   - canonicalURL: a function that replaces the base URL in use with the base URL from the catalog. The result is
    ///     then redacted.
    ///   - redactor: redacts the URL and the body in the same way as during the recording.
    public init(
        directory: FilePath, canonicalURL: @escaping @Sendable (String) -> String = { $0 }, redactor: Redactor
    ) {
        self.directory = directory
        scrubber = CassetteScrubber(canonicalURL: canonicalURL, redactor: redactor)
    }

    /// Returns the recorded answer to a request at once. Ignores `deadline`.
    ///
    /// - Throws: `.notReplayed` if there is no cassette for the request, or if the folder or one of its cassettes
    ///   cannot be read. `.tooLarge` if the recorded body exceeds the limit of the request. `.cancelled` if the task is
    ///   cancelled.
    public func send(_ request: HTTPRequest, before deadline: Int) async throws(HTTPError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled.unsent }
        let wanted = scrubber.request(request)
        guard let response = try load()[wanted] else {
            throw .notReplayed(
                "no cassette for \(wanted.method.rawValue) \(wanted.url) in \(directory); to record one, use --record"
                    + " instead of --replay")
        }
        guard response.body.count <= request.maxBodySize else { throw .tooLarge(limit: request.maxBodySize) }
        return response
    }

    private func load() throws(HTTPError) -> [CassetteRequest: HTTPResponse] {
        let index = index.withLock { index in
            let loaded = index ?? Self.read(directory)
            index = loaded
            return loaded
        }
        return try index.get()
    }

    private static func read(_ directory: FilePath) -> Index {
        var index: [CassetteRequest: HTTPResponse] = [:]
        var files: [CassetteRequest: FilePath] = [:]
        do throws(FileError) {
            for name in try Files.list(directory) where name.hasSuffix(".json") {
                let path = directory + "/" + name
                let bytes = try InputFile.read(path)
                do throws(CassetteFault) {
                    let cassette = try Cassette(bytes)
                    if let other = files.updateValue(name, forKey: cassette.request) {
                        return .failure(
                            .notReplayed("cassette \(path): the same request is in \(other); delete one of them"))
                    }
                    index[cassette.request] = cassette.response
                } catch {
                    return .failure(.notReplayed("cassette \(path): \(error.message)"))
                }
            }
        } catch {
            return .failure(.notReplayed(error.message))
        }
        return .success(index)
    }
}
