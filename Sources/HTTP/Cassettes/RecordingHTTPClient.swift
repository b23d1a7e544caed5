import Model
import System

/// Saves every complete exchange of another client as a cassette. The same request again replaces its cassette.
///
/// Requests go out without validators, and so bring the whole answer: one that only confirms what is cached would leave
/// a hole in the recording.
public struct RecordingHTTPClient: HTTPClientContract {
    private let client: any HTTPClientContract
    private let directory: FilePath
    private let scrubber: CassetteScrubber

    /// A recording client.
    ///
    /// - Parameters:
    ///   - directory: where the cassettes go; it is made when the first one is saved.
    ///   - canonicalURL: turns a URL as sent into the one that cassettes name. It is applied first.
    ///   - redactor: takes the secrets out of the URL, the bodies and the header fields' values.
    ///   - headers: the fields of answers, in lower case, without which the catalog cannot read them.
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
    /// - Throws: the other client's errors; `.notRecorded` when the cassette cannot be saved, so that no recording has
    ///   holes that nobody knows of.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let response = try await client.send(request.unconditional)
        // A header field of the catalog may have asked for it. It says nothing to who replays the request.
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
