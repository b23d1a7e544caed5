import CCurl
import Model
import System

/// A libcurl easy handle, and the state of its current HTTP exchange. Later exchanges use the handle again.
///
/// Only the event loop's thread uses this object. libcurl's callbacks run on the same thread.
// Exclusivity: callbacks happen only inside calls that perform or continue transfers, and no access spans these calls.
final class HTTPTransfer {
    let easy: UnsafeMutableRawPointer
    @exclusivity(unchecked) private(set) var job: HTTPJob?
    private let library: CurlLibrary
    private let environment: HTTPEnvironment
    private let message: UnsafeMutablePointer<CChar>
    @exclusivity(unchecked) private var fields: HTTPRequestFields
    @exclusivity(unchecked) private var hop: HTTPHop?
    /// The connection settings that the libcurl handle uses now.
    @exclusivity(unchecked) private var connection = ConnectionSettings()
    @exclusivity(unchecked) private var head = HTTPHeadParser()
    @exclusivity(unchecked) private var received: [HTTPHeader] = []
    @exclusivity(unchecked) private var body: HTTPBody
    private let budget: BodyBudget
    /// The memory that a paused body needs before the transfer continues; nil if the transfer is not paused.
    @exclusivity(unchecked) private(set) var need: HTTPBody.Need?
    /// The time of the transfer's first pause, in milliseconds; nil if it has not paused. Paused transfers resume in
    /// the order of these times.
    @exclusivity(unchecked) private(set) var pausedAt: Int?
    /// The error with which a callback stopped the transfer; nil if no callback has stopped it.
    @exclusivity(unchecked) private var refusal: HTTPError?

    /// Creates a libcurl handle with the options that all exchanges share. Returns nil if there is no memory.
    init?(_ engine: HTTPEngine, _ library: CurlLibrary) {
        guard let easy = larder_curl_easy_init(library.functions) else { return nil }
        self.easy = easy
        self.library = library
        environment = engine.environment
        budget = engine.budget
        body = HTTPBody(limit: 0, of: budget)
        fields = HTTPRequestFields(library)
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let functions = library.functions
        for option in [CURLOPT_NOSIGNAL, CURLOPT_TCP_NODELAY, CURLOPT_SUPPRESS_CONNECT_HEADERS] {
            _ = larder_curl_set_long(functions, easy, option, 1)
        }
        larder_curl_set_recent(functions, easy)
        _ = larder_curl_set_pointer(functions, easy, CURLOPT_ACCEPT_ENCODING, "")
        _ = larder_curl_set_pointer(functions, easy, CURLOPT_USERAGENT, engine.userAgent)
        _ = larder_curl_set_pointer(functions, easy, CURLOPT_ERRORBUFFER, message)
        trustAuthorities()
        // Safe: the engine's loop retains this object while the handle can call back.
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA] {
            _ = larder_curl_set_pointer(functions, easy, option, context)
        }
        _ = larder_curl_set_callback(functions, easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            HTTPTransfer.call(bytes, size * count, context) { $0.take(line: $1) ? .taken : .refused }
        }
        _ = larder_curl_set_callback(functions, easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            HTTPTransfer.call(bytes, size * count, context) { $0.take(part: $1) }
        }
    }

    deinit {
        larder_curl_easy_cleanup(library.functions, easy)
        fields.free()
        message.deallocate()
    }

    /// Returns the transfer that owns a libcurl easy handle.
    static func of(_ easy: UnsafeMutableRawPointer, _ library: CurlLibrary) -> HTTPTransfer? {
        var context: UnsafeMutableRawPointer?
        _ = larder_curl_get_pointer(library.functions, easy, CURLINFO_PRIVATE, &context)
        // Safe: the engine's loop retains the object while it contains the handle.
        return context.map { Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Prepares the libcurl handle for the first request of an HTTP exchange.
    func begin(_ job: HTTPJob) throws(HTTPError) {
        self.job = job
        chooseConnection(for: job.request)
        try prepare(HTTPHop(job.request, to: try CurlURL.parse(job.request.url, with: library)))
    }

    /// Handles the end of a request. If a redirect follows, prepares the handle for the next request and returns nil.
    /// Otherwise returns the answer.
    func end(_ code: CURLcode) throws(HTTPError) -> HTTPResponse? {
        if let refusal { throw refusal }
        guard code == CURLE_OK else {
            throw CurlErrorMapper(environment: environment).map(
                CurlFailure(
                    code: code, message: text(of: code), timeout: job?.request.timeout ?? 0,
                    part: head.isComplete ? .body : hasBegun ? .head : .none, connection: connection,
                    encoding: received["Content-Encoding"]))
        }
        guard head.isComplete else {
            throw .notHTTP("the server sent no final response, only interim responses (status 1xx)")
        }
        if let next = try hop?.next(after: head.status, received) {
            try prepare(next)
            return nil
        }
        body.end()
        var response = HTTPResponse(status: head.status, headers: received, body: body.bytes)
        response.lease = body.lease
        response.redirectedURL = hop?.redirectedURL
        return response
    }

    /// Clears the state of the exchange, so that the handle can be reused.
    func clear() {
        _ = larder_curl_set_pointer(library.functions, easy, CURLOPT_CURLU, nil)
        if job?.request.body != nil {
            _ = larder_curl_set_pointer(library.functions, easy, CURLOPT_COPYPOSTFIELDS, nil)
        }
        hop = nil
        job = nil
        forgetAnswer()
    }

    private func forgetAnswer() {
        head.reset()
        received = []
        body = HTTPBody(limit: job?.request.maxBodySize ?? 0, of: budget)
        need = nil
        pausedAt = nil
        refusal = nil
        message.pointee = 0
    }

    /// Makes libcurl open a new connection for a request that must not be sent twice. On a reused connection, libcurl
    /// could send the request twice, because it repeats a request if the server has closed the connection.
    private func chooseConnection(for request: HTTPRequest) {
        let isOnce = request.method == .post && !request.isRepeatable
        _ = larder_curl_set_long(library.functions, easy, CURLOPT_FRESH_CONNECT, isOnce ? 1 : 0)
    }

    private func prepare(_ next: HTTPHop) throws(HTTPError) {
        forgetAnswer()
        try fields.set(for: next, on: easy)
        if next.connection != connection { connect(by: next.connection) }
        let functions = library.functions
        if let body = next.body {
            _ = larder_curl_set_long(functions, easy, CURLOPT_POST, 1)
            _ = larder_curl_set_size(functions, easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            let code = body.withUnsafeBytes { bytes in
                // With a null pointer libcurl would read the body from stdin.
                bytes.isEmpty
                    ? larder_curl_set_pointer(functions, easy, CURLOPT_COPYPOSTFIELDS, "")
                    : larder_curl_set_pointer(functions, easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
            }
            guard code == CURLE_OK else { throw .network("out of memory") }
        } else {
            _ = larder_curl_set_long(functions, easy, CURLOPT_HTTPGET, 1)
        }
        // Requests should only wait to share a connection if the connection may use HTTP/2. Only TLS negotiates HTTP/2
        // before the first request.
        let isSecure = next.url.isSecure
        _ = larder_curl_set_long(
            functions, easy, CURLOPT_HTTP_VERSION, isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        _ = larder_curl_set_long(functions, easy, CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
        _ = larder_curl_set_pointer(functions, easy, CURLOPT_CURLU, UnsafeRawPointer(next.url.handle))
        hop = next
    }

    /// Whether the first byte of the answer has arrived.
    private var hasBegun: Bool {
        var microseconds: curl_off_t = 0
        _ = larder_curl_get_size(library.functions, easy, CURLINFO_STARTTRANSFER_TIME_T, &microseconds)
        return microseconds > 0
    }

    /// Applies the connection settings of an API: certificate authorities, client certificate and proxy. Afterwards,
    /// only requests to this API may use the handle.
    private func connect(by settings: ConnectionSettings) {
        connection = settings
        if let file = settings.authorities { set(CURLOPT_CAINFO, file) }
        // An empty string disables the proxies of the environment variables.
        if let proxy = settings.proxy { set(CURLOPT_PROXY, proxy) }
        guard let certificate = settings.certificate else {
            for option in [CURLOPT_SSLCERT, CURLOPT_SSLKEY] {
                _ = larder_curl_set_pointer(library.functions, easy, option, nil)
            }
            return
        }
        set(CURLOPT_SSLCERT, certificate)
        set(CURLOPT_SSLKEY, settings.key ?? certificate)
    }

    private func set(_ option: CURLoption, _ value: String) {
        _ = larder_curl_set_pointer(library.functions, easy, option, value)
    }

    /// Whether the handle has only default connection settings, so that requests to any API can use it.
    var isPlain: Bool { connection == ConnectionSettings() }

    /// Makes libcurl trust the certificate authorities from the environment variables.
    // libcurl itself ignores these variables; only the `curl` tool reads them.
    private func trustAuthorities() {
        if let file = environment.authorities {
            _ = larder_curl_set_pointer(library.functions, easy, CURLOPT_CAINFO, file.cString)
        }
        if let folder = environment.authoritiesFolder {
            for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] {
                _ = larder_curl_set_pointer(library.functions, easy, option, folder.cString)
            }
        }
    }

    /// Returns libcurl's detailed error message. Returns the standard message for the error code if the detailed
    /// message may be truncated or contain a secret.
    // The query of a URL may contain a secret.
    private func text(of code: CURLcode) -> String {
        if let shortage = Descriptors.shortage { return shortage }
        let text = String(cString: message)
        if !text.isEmpty, text.utf8.count < Int(CURL_ERROR_SIZE) - 4, !text.utf8.contains(UInt8(ascii: "?")) {
            let hidden = environment.redactingProxies(in: text)
            guard let proxy = connection.proxy, !proxy.isEmpty else { return hidden }
            return hidden.replacing(proxy, with: Userinfo.hide(in: proxy))
        }
        return String(cString: larder_curl_strerror(library.functions, code))
    }
}

/// The functions that libcurl calls during a transfer.
extension HTTPTransfer {
    private enum Outcome {
        case taken
        /// The transfer must pause. libcurl later delivers the rejected bytes again.
        case later
        case refused
    }

    private static func call(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        _ take: (HTTPTransfer, UnsafeRawBufferPointer) -> Outcome
    ) -> Int {
        guard let context else { return 0 }
        // Safe: the engine's loop retains the transfer while the handle can call back.
        let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
        return switch take(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) {
        case .taken: count
        case .later: Int(CURL_WRITEFUNC_PAUSE)
        // Any number other than `count` fails the transfer. If there are no bytes, 0 equals `count`.
        case .refused: count + 1
        }
    }

    private func take(line: UnsafeRawBufferPointer) -> Bool {
        let wasComplete = head.isComplete
        guard head.append(line) else {
            refusal = .notHTTP("the header section is larger than \(HTTPHeadParser.limit) bytes")
            return false
        }
        if wasComplete || !head.isComplete { return true }
        received = head.fields
        return acceptsAnnouncedBody()
    }

    /// Returns whether the body size in `Content-Length` is within the limits.
    // For a compressed body the announced size is ignored, because decoding increases the size.
    private func acceptsAnnouncedBody() -> Bool {
        guard head.status != 204, head.status != 304, received["Content-Encoding"] == nil,
            let length = received["Content-Length"].flatMap({ Int($0) })
        else { return true }
        refusal = body.expect(length)
        return refusal == nil
    }

    private func take(part: UnsafeRawBufferPointer) -> Outcome {
        switch body.take(part) {
        case .taken: return .taken
        case .noRoom(let need):
            self.need = need
            if pausedAt == nil { pausedAt = Monotonic.milliseconds }
            return .later
        case .refused(let error):
            refusal = error
            return .refused
        }
    }
}

/// Resumes a transfer that is paused because the memory budget for bodies is exhausted.
extension HTTPTransfer {
    /// The memory that the transfer's body has reserved, in bytes.
    var reservedBytes: Int { body.lease?.size ?? 0 }

    /// Resumes a paused transfer if enough memory is available. Returns whether the transfer continues.
    ///
    /// - Parameter takingRemainder: whether `need.minimum` bytes are enough. If false, `need.desired` bytes must be
    ///   available.
    func resume(takingRemainder: Bool) -> Bool {
        guard let need, let lease = body.lease else { return false }
        guard
            lease.grow(to: need.desired, hasPriority: true)
                || (takingRemainder && lease.growPartially(to: need.desired, minimum: need.minimum))
        else { return false }
        self.need = nil
        // libcurl delivers the refused bytes again.
        _ = larder_curl_continue(library.functions, easy)
        return true
    }
}
