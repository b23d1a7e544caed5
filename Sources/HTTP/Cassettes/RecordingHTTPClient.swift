import Model
import System

/// Sends requests with another HTTP client, and saves every complete exchange as a cassette. A repeated request
/// replaces its cassette.
///
/// Requests are sent without validators (`ETag`, `Last-Modified`), because a 304 would refer to a body that the
/// cassette does not contain.
public struct RecordingHTTPClient: HTTPClientContract {
    private let client: any HTTPClientContract
    private let directory: FilePath
    private let scrubber: CassetteScrubber

    /// Creates a client that records the exchanges of another HTTP client.
    ///
    /// - Parameters:
    ///   - directory: the folder for the cassettes. The client creates it when it saves the first cassette.
    ///   - canonicalURL: a function that replaces the base URL in use with the base URL from the catalog. The result is
    ///     then redacted.
    ///   - redactor: redacts the URL, the bodies and the values of header fields.
    ///   - headers: the names of additional header fields that the catalog reads, in lower case.
    public init(
        wrapping client: any HTTPClientContract, directory: FilePath,
        canonicalURL: @escaping @Sendable (String) -> String = { $0 }, redactor: Redactor, headers: Set<String> = []
    ) {
        self.client = client
        self.directory = directory
        scrubber = CassetteScrubber(canonicalURL: canonicalURL, redactor: redactor, headers: headers)
    }

    /// Sends a request with the wrapped client and saves the exchange.
    ///
    /// - Throws: the errors of the wrapped client; `.notRecorded` if the cassette cannot be saved.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let response = try await client.send(request.unconditional)
        // A validator in the catalog's own header fields may cause a 304, which a replay cannot use.
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
