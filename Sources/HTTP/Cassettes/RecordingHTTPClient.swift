import Model
import System

/// Sends requests with another HTTP client and saves every complete exchange as a cassette. A repeated request replaces
/// its cassette.
///
/// Requests are sent without validators, because a recording needs complete answers. A 304 would refer to a cached body
/// that the cassette does not contain.
public struct RecordingHTTPClient: HTTPClientContract {
    private let client: any HTTPClientContract
    private let directory: FilePath
    private let scrubber: CassetteScrubber

    /// Creates a client that records the exchanges of another HTTP client.
    ///
    /// - Parameters:
    ///   - directory: the folder for the cassettes; it is created when the first one is saved.
    ///   - canonicalURL: replaces the base URL in a URL with the declared one. It is called before the redactor.
    ///   - redactor: redacts the URL, the bodies and the values of header fields.
    ///   - headers: the names, in lower case, of additional header fields that the catalog reads.
    public init(
        wrapping client: any HTTPClientContract, directory: FilePath,
        canonicalURL: @escaping @Sendable (String) -> String = { $0 }, redactor: Redactor, headers: Set<String> = []
    ) {
        self.client = client
        self.directory = directory
        scrubber = CassetteScrubber(canonicalURL: canonicalURL, redactor: redactor, headers: headers)
    }

    /// Sends the request with the other client and saves the exchange.
    ///
    /// - Throws: the other client's errors; `.notRecorded` if the cassette cannot be saved, so that no exchange is
    ///   missing without notice.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let response = try await client.send(request.unconditional)
        // A validator in the catalog's own header fields may cause a 304, which is useless for a replay.
        if response.status == 304 { return response }
        let cassette = Cassette(request: scrubber.request(request), response: scrubber.response(response))
        do throws(FileError) {
            try Files.createDirectory(directory)
            try Files.writeAtomically(cassette.bytes, to: directory + "/" + FilePath(cassette.request.fileName))
        } catch {
            throw HTTPError(.notRecorded(error.message), attempts: response.attempts)
        }
        return response
    }
}
