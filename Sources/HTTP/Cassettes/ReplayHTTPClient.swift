import Model
import System

/// Answers from the cassettes of a folder and never opens a socket.
///
/// The folder is read once, with the first request. Every file in it whose name ends in `.json` must be a cassette.
public final class ReplayHTTPClient: HTTPTransportContract {
    private typealias Index = Result<[CassetteRequest: HTTPResponse], HTTPError>

    private let directory: FilePath
    private let scrubber: CassetteScrubber
    private let index = Lock<Index?>(nil)

    /// A replaying client.
    ///
    /// - Parameters:
    ///   - directory: where the cassettes are.
    ///   - canonicalURL: turns a URL as asked for into the one that cassettes name. It is applied first.
    ///   - redactor: takes the secrets out of the URL and the body, as it did for the recording.
    public init(
        directory: FilePath, canonicalURL: @escaping @Sendable (String) -> String = { $0 }, redactor: Redactor
    ) {
        self.directory = directory
        scrubber = CassetteScrubber(canonicalURL: canonicalURL, redactor: redactor)
    }

    /// The recorded answer, which comes before any deadline.
    ///
    /// - Throws: `.network` when there is none, or when the folder or a file in it cannot be read; `.tooLarge` when the
    ///   recorded body is larger than the request allows; `.cancelled`.
    public func send(_ request: HTTPRequest, before deadline: Int) async throws(HTTPError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled.unsent }
        let wanted = scrubber.request(request)
        guard let response = try load()[wanted] else {
            throw .network(
                "no cassette for \(wanted.method.rawValue) \(wanted.url) in \(directory); record one with --record")
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
                        return .failure(.network("cassette \(path): the same request as in \(other)"))
                    }
                    index[cassette.request] = cassette.response
                } catch {
                    return .failure(.network("cassette \(path): \(error.message)"))
                }
            }
        } catch {
            return .failure(.network(error.message))
        }
        return .success(index)
    }
}
