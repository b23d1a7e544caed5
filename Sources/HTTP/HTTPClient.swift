import System

/// An HTTP client over libcurl. All transfers share one event loop, and connections are reused.
///
/// * Uses HTTP/2 if TLS negotiates it, and decodes every content encoding that libcurl supports, such as gzip.
/// * Uses the proxies (`https_proxy`, `no_proxy`) and certificate authorities (`SSL_CERT_FILE`) from the environment.
/// * Follows at most 5 redirects, to `http` and `https` only. A POST becomes a GET after 301, 302 and 303. A user and
///   password in a `Location` are ignored.
/// * Sends `credentials` only to the origin of the request's URL. After a redirect to another origin, the client drops
///   the credentials, even if a later redirect leads back.
/// * Applies the deadline to the whole exchange: queueing, name resolution, connecting and all redirects.
/// * Loads libcurl at the first request.
public final class HTTPClient: HTTPTransportContract {
    package let engine: HTTPEngine

    /// Creates a client. The client opens no connection before the first request.
    ///
    /// - Parameters:
    ///   - version: the version after `larder/` in the `User-Agent`. Requests may set their own `User-Agent`.
    ///   - environment: the certificate authorities and proxies from environment variables.
    ///   - loop: the event loop for all transfers.
    ///   - memoryInFlight: the maximum total size of all bodies that are not parsed yet, in bytes. At the limit,
    ///     transfers pause until memory becomes available.
    ///   - maxTransfers: the maximum number of concurrent transfers, which limits the file descriptors. Further
    ///     requests wait in order of arrival. The client does not apply the limits of individual APIs.
    public init(
        version: String, environment: HTTPEnvironment = .empty, loop: EventLoop = EventLoop(),
        memoryInFlight: Int = 256 << 20, maxTransfers: Int = 256
    ) {
        engine = HTTPEngine(
            loop: loop, userAgent: "larder/\(version)", environment: environment,
            budget: BodyBudget(limit: memoryInFlight),
            maxTransfers: max(1, maxTransfers))
    }

    deinit { engine.abandon() }

    /// Fails current and later requests with `.cancelled`, closes all connections, and waits until they are closed.
    ///
    /// A process that has sent requests must call this function before it exits.
    // Libraries that libcurl uses clean up at exit, and must not be in use then.
    public func shutdown() { engine.shutdown() }

    /// Sends a request and waits for the whole answer. Cancelling the task aborts the transfer.
    ///
    /// - Throws: `HTTPError`: `.invalidURL` (also for a header field that cannot be sent), `.notHTTP`, `.badRedirect`,
    ///   `.untrusted`, `.network`, `.timeout`, `.tooLarge`, `.exceedsBodyBudget`, `.noRoom`, `.tooManyRedirects`,
    ///   `.cancelled`.
    public func send(_ request: HTTPRequest, before deadline: Int) async throws(HTTPError) -> HTTPResponse {
        let job = HTTPJob(request, deadline: deadline)
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                job.begin(continuation)
                engine.start(job)
            }
        } onCancel: {
            job.cancel()
            engine.cancel(job)
        }
        return try outcome.get()
    }
}

extension HTTPTransportContract {
    /// Sends a request once, and waits for the answer within the request's `timeout`.
    ///
    /// - Throws: the same errors as `send(_:before:)`.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        try await send(request, before: request.deadline(from: Monotonic.milliseconds))
    }
}
