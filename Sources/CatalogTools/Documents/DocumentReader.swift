import Catalog
import HTTP
import Model
import System

/// Reads documents from files, URLs and standard input.
public struct DocumentReader: Sendable {
    /// The timeout for one document, in milliseconds.
    private static let timeout = 60_000

    private let client: (any HTTPClientContract)?
    private let headers: [HTTPHeader]
    private let redactor: Redactor
    private let explain: @Sendable (HTTPError, Redactor) -> String

    /// Creates a reader of files and standard input.
    public init() {
        (client, headers, redactor, explain) = (nil, [], Redactor(secrets: []), { error, _ in "\(error)" })
    }

    /// Creates a reader of files, standard input and URLs.
    ///
    /// - Parameters:
    ///   - client: the client that sends the requests.
    ///   - texts: the header fields to send, each as `Name: value`.
    ///   - explain: returns the message of an error, redacted with the given redactor.
    ///   - secrets: the source of secrets for `${env:NAME}` in header fields.
    ///   - hidden: additional strings that must not appear in messages.
    /// - Throws: `CatalogDraftError` if a header field is invalid.
    public init(
        client: any HTTPClientContract, headers texts: [String],
        explain: @escaping @Sendable (HTTPError, Redactor) -> String, secrets: SecretSource, hidden: [String]
    ) throws(CatalogDraftError) {
        let given = try InferredHeaders(texts, secrets: secrets)
        (self.client, self.explain) = (client, explain)
        headers = given.fields
        redactor = Redactor(secrets: given.secrets + hidden)
    }

    /// Reads the document at a location that the user named.
    ///
    /// - Throws: `CatalogDraftError` if the document cannot be read.
    public func read(_ location: DocumentLocation) async throws(CatalogDraftError) -> ReadDocument {
        switch location {
        case .file(let path): return ReadDocument(bytes: try file(path), location: location)
        case .standardInput:
            return ReadDocument(
                bytes: try fileContents { () throws(FileError) in
                    try InputFile.readStandardInput(atMost: CatalogImport.largest)
                }, location: location)
        case .url(let text): return try await get(text, credentials: headers, isBoundToOrigin: false)
        }
    }

    /// Tries to read the document at a URL. The URL must not redirect to another origin.
    ///
    /// - Parameters:
    ///   - timeout: the timeout in milliseconds.
    ///   - size: the maximum size of the document in bytes.
    /// - Throws: `CatalogDraftError` if there is no answer, or if the document is larger than `size`.
    func attempt(
        _ url: String, within timeout: Int, atMost size: Int = CatalogImport.largest
    ) async throws(CatalogDraftError) -> ReadDocument {
        try await get(url, credentials: headers, isBoundToOrigin: true, timeout: timeout, maxSize: size)
    }

    /// Reads a document that another document refers to.
    ///
    /// A URL must not redirect to another origin. Symbolic links must not lead out of the folder of the first document.
    ///
    /// - Parameters:
    ///   - location: the location of the document.
    ///   - first: the location of the first document.
    ///   - argument: the location that the user named. Header fields are sent only to the origin of this location.
    /// - Throws: `CatalogDraftError` if the document cannot be read.
    func read(
        _ location: DocumentLocation, for first: DocumentLocation, namedBy argument: DocumentLocation
    ) async throws(CatalogDraftError) -> ReadDocument {
        switch (location, first) {
        case (.file(let path), .file(let root)):
            let folder = root.parent.isEmpty ? "." : root.parent
            let resolved = Files.resolved(path)
            // `path` is in the folder. It equals `resolved` if it contains no symbolic links or if there is no such
            // file.
            guard resolved == path || resolved.isInside(Files.resolved(folder)) else {
                throw CatalogDraftError(DocumentLocation.outside)
            }
            return ReadDocument(bytes: try file(path), location: location)
        case (.url(let text), .url):
            let isOwn = argument.origin != nil && argument.origin == location.origin
            return try await get(text, credentials: isOwn ? headers : [], isBoundToOrigin: true)
        default:
            throw CatalogDraftError(
                "a document and the documents it refers to must all be files, or all be URLs; save them all as files")
        }
    }

    private func file(_ path: FilePath) throws(CatalogDraftError) -> [UInt8] {
        try fileContents { () throws(FileError) in try InputFile.read(path, atMost: CatalogImport.largest) }
    }

    private func fileContents(_ read: () throws(FileError) -> [UInt8]) throws(CatalogDraftError) -> [UInt8] {
        do throws(FileError) { return try read() } catch { throw CatalogDraftError(error.message) }
    }

    private func get(
        _ url: String, credentials: [HTTPHeader], isBoundToOrigin: Bool, timeout: Int = Self.timeout,
        maxSize: Int = CatalogImport.largest
    ) async throws(CatalogDraftError) -> ReadDocument {
        guard let client else {
            throw CatalogDraftError(
                "cannot read \(Userinfo.hide(in: url)), because no requests are allowed; save the document as a file,"
                    + " and name the file instead")
        }
        let plain = String(url.prefix { $0 != "#" })
        var request = HTTPRequest(
            url: plain,
            headers: [HTTPHeader("Accept", "application/json, application/yaml, text/yaml;q=0.9, */*;q=0.5")],
            credentials: credentials, timeout: timeout, maxBodySize: maxSize)
        request.headers.removeAll { header in credentials.contains { $0.isNamed(header.name) } }
        request.isBoundToOrigin = isBoundToOrigin
        do throws(HTTPError) {
            let response = try await client.send(request)
            guard (200...299).contains(response.status) else { throw .status(response) }
            guard !response.body.isEmpty else { throw .emptyBody(response) }
            return ReadDocument(
                bytes: response.body, location: .url(response.redirectedURL ?? plain),
                links: response.headers.filter { $0.isNamed("Link") }.flatMap { WebLink.read($0.value) })
        } catch {
            var fault = CatalogDraftError(redactor.redact(explain(error, redactor)))
            switch error.reason {
            case .status, .emptyBody: break
            default: fault.isUnreachable = true
            }
            throw fault
        }
    }
}

/// The result of reading a document.
public struct ReadDocument: Sendable {
    /// The text of the document.
    public let bytes: [UInt8]
    /// The location of the document. For a URL, this is the URL after redirects.
    public let location: DocumentLocation
    /// The links of the header field `Link`; empty for a file.
    var links: [WebLink] = []
}
