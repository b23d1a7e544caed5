import CCurl
import Model
import System

/// One of libcurl's easy handles, used for one exchange after the other, and what has come of the exchange at hand.
///
/// Only the loop's thread uses it. libcurl calls back there.
// Exclusivity: libcurl calls back only while it performs transfers or continues one, and no access lasts over that.
final class HTTPTransfer {
    let easy: UnsafeMutableRawPointer
    @exclusivity(unchecked) private(set) var job: HTTPJob?
    private let library: CurlLibrary
    private let environment: HTTPEnvironment
    private let message: UnsafeMutablePointer<CChar>
    @exclusivity(unchecked) private var fields: HTTPRequestFields
    @exclusivity(unchecked) private var hop: HTTPHop?
    /// What the handle is set to.
    @exclusivity(unchecked) private var connection = ConnectionSettings()
    @exclusivity(unchecked) private var head = HTTPHeadParser()
    @exclusivity(unchecked) private var received: [HTTPHeader] = []
    @exclusivity(unchecked) private var body: HTTPBody
    private let budget: BodyBudget
    /// What the body has no room for; nil while it goes on.
    @exclusivity(unchecked) private(set) var need: HTTPBody.Need?
    /// When it first came to wait for room: its place among those who do.
    @exclusivity(unchecked) private(set) var pausedAt: Int?
    /// Why a callback stopped the transfer.
    @exclusivity(unchecked) private var refusal: HTTPError?

    /// A handle with the options that all exchanges share; nil when there is no memory for one.
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
        // Safe: the engine's loop keeps this object for as long as the handle can call back.
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

    /// The transfer of an easy handle.
    static func of(_ easy: UnsafeMutableRawPointer, _ library: CurlLibrary) -> HTTPTransfer? {
        var context: UnsafeMutableRawPointer?
        _ = larder_curl_get_pointer(library.functions, easy, CURLINFO_PRIVATE, &context)
        // Safe: the engine's loop holds the object for as long as the handle is in it.
        return context.map { Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Prepares the handle for a job's first request.
    func begin(_ job: HTTPJob) throws(HTTPError) {
        self.job = job
        chooseConnection(for: job.request)
        try prepare(HTTPHop(job.request, to: try CurlURL.parse(job.request.url, with: library)))
    }

    /// Takes the end of a request: gives the answer, or nil when the handle is prepared for the next request of the
    /// exchange.
    func end(_ code: CURLcode) throws(HTTPError) -> HTTPResponse? {
        if let refusal { throw refusal }
        guard code == CURLE_OK else {
            throw CurlErrorMapper(environment: environment).map(
                CurlFailure(
                    code: code, message: text(of: code), timeout: job?.request.timeout ?? 0,
                    part: head.isComplete ? .body : hasBegun ? .head : .none, connection: connection,
                    encoding: received["Content-Encoding"]))
        }
        guard head.isComplete else { throw .notHTTP("the answer has no final status") }
        if let next = try hop?.next(after: head.status, received) {
            try prepare(next)
            return nil
        }
        body.end()
        var response = HTTPResponse(status: head.status, headers: received, body: body.bytes)
        response.lease = body.lease
        return response
    }

    /// Forgets the exchange.
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

    /// libcurl asks again by itself where a connection that it had kept open is found dead. What must not reach the API
    /// twice gets a connection of its own.
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
                // A null pointer would make libcurl read the body from stdin.
                bytes.isEmpty
                    ? larder_curl_set_pointer(functions, easy, CURLOPT_COPYPOSTFIELDS, "")
                    : larder_curl_set_pointer(functions, easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
            }
            guard code == CURLE_OK else { throw .network("out of memory") }
        } else {
            _ = larder_curl_set_long(functions, easy, CURLOPT_HTTPGET, 1)
        }
        // Only TLS can tell before the first answer whether there will be HTTP/2, and so whether requests should wait
        // to share a connection.
        let isSecure = next.url.isSecure
        _ = larder_curl_set_long(
            functions, easy, CURLOPT_HTTP_VERSION, isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        _ = larder_curl_set_long(functions, easy, CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
        _ = larder_curl_set_pointer(functions, easy, CURLOPT_CURLU, UnsafeRawPointer(next.url.handle))
        hop = next
    }

    /// Whether the first byte of an answer has come.
    private var hasBegun: Bool {
        var microseconds: curl_off_t = 0
        _ = larder_curl_get_size(library.functions, easy, CURLINFO_STARTTRANSFER_TIME_T, &microseconds)
        return microseconds > 0
    }

    /// Sets whom to trust, as whom to appear, and what goes between. A handle that was set so serves no other API.
    private func connect(by settings: ConnectionSettings) {
        connection = settings
        if let file = settings.authorities { set(CURLOPT_CAINFO, file) }
        // An empty text turns off what the variables say.
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

    /// Whether it can serve any API.
    var isPlain: Bool { connection == ConnectionSettings() }

    /// libcurl itself looks at no variables for this, only its command line tool does.
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

    /// libcurl's words for what went wrong; never with a query, which may hold a secret, and never cut off, which may
    /// leave the beginning of one.
    private func text(of code: CURLcode) -> String {
        if let shortage = Descriptors.shortage { return shortage }
        let text = String(cString: message)
        if !text.isEmpty, text.utf8.count < Int(CURL_ERROR_SIZE) - 4, !text.utf8.contains(UInt8(ascii: "?")) {
            let hidden = environment.hidingProxies(in: text)
            guard let proxy = connection.proxy, !proxy.isEmpty else { return hidden }
            return hidden.replacing(proxy, with: Userinfo.hide(in: proxy))
        }
        return String(cString: larder_curl_strerror(library.functions, code))
    }
}

/// What libcurl calls.
extension HTTPTransfer {
    private enum Outcome {
        case taken
        /// The transfer is to pause, and to give the same bytes again.
        case later
        case refused
    }

    private static func call(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        _ take: (HTTPTransfer, UnsafeRawBufferPointer) -> Outcome
    ) -> Int {
        guard let context else { return 0 }
        // Safe: the engine's loop keeps it for as long as the handle can call back.
        let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
        return switch take(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) {
        case .taken: count
        case .later: Int(CURL_WRITEFUNC_PAUSE)
        // Any other number than `count` ends the transfer with an error; with no bytes, 0 is no error.
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

    /// Refuses a body that is announced to be too large. The length of an encoded body says nothing of the decoded one.
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

/// Waiting for room.
extension HTTPTransfer {
    /// How much of the budget it has.
    var taken: Int { body.lease?.size ?? 0 }

    /// Goes on, if there is room by now. Returns whether it does.
    ///
    /// - Parameter withRest: whether to do with what is left, so long as it comes a step further.
    func goOn(withRest: Bool) -> Bool {
        guard let need, let lease = body.lease else { return false }
        guard
            lease.grow(to: need.most, inTurn: true) || (withRest && lease.growByRest(to: need.most, least: need.least))
        else { return false }
        self.need = nil
        // It gives the bytes again that found no room.
        _ = larder_curl_continue(library.functions, easy)
        return true
    }
}
