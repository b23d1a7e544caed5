import System

/// HTTP over libcurl: all transfers share a loop, and connections are kept open for the next ones.
///
/// * HTTP/2 where TLS offers it; every content encoding that libcurl has (gzip, br ...) is asked for and undone;
/// proxies as the environment says (`https_proxy`, `no_proxy`), and the authorities that it trusts (`SSL_CERT_FILE`).
/// * At most 5 redirects are followed, to `http` and `https` only. `credentials` go to the scheme, host and port of the
///   request's own URL; after a redirect to any other they are dropped, and stay dropped if a later one leads back. A
///   user and password in a `Location` are not used. After 301, 302 and 303 a POST goes on as a GET.
/// * The deadline covers the whole exchange: waiting, name resolution, connection and all redirects.
/// * libcurl is opened with the first request; without requests nothing is done.
public final class HTTPClient: HTTPTransportContract {
    package let engine: HTTPEngine

    /// Nothing is opened before the first request.
    ///
    /// - Parameters:
    ///   - version: what follows `larder/` in the `User-Agent` of a request that sets none.
    ///   - environment: whom TLS trusts, and what no error may say.
    ///   - loop: where transfers run; one of the client's own where none is given.
    ///   - memoryInFlight: how many bytes the bodies of all answers may have together, from their arrival until they
    ///     are read; an answer for which there is no room waits.
    ///   - maxTransfers: how many transfers run at once, so that the process does not run out of descriptors; more wait
    ///     in the order of arrival. A bound for one API belongs above.
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

    /// Closes all connections. What is in flight, and what is sent later, fails with `.cancelled`.
    ///
    /// It returns when that is done. A process that has sent requests calls it before it ends: libraries that
    /// libcurl uses clean up at the end of a process and must not be in use then.
    public func shutdown() { engine.shutdown() }

    /// Sends a request and waits for the whole answer. Cancelling the task aborts the transfer.
    ///
    /// - Throws: `HTTPError`: `.invalidURL` (also for a header field that cannot be sent), `.notHTTP`, `.badRedirect`,
    ///   `.untrusted`, `.network`, `.timeout`, `.tooLarge`, `.tooLargeForAll`, `.noRoom`, `.tooManyRedirects`,
    ///   `.cancelled`.
    public func send(_ request: HTTPRequest, before deadline: Int) async throws(HTTPError) -> HTTPResponse {
        let job = HTTPJob(request, deadline: deadline)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
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
    /// Makes one exchange within the request's `timeout`.
    ///
    /// - Throws: as `send(_:before:)`.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        try await send(request, before: request.deadline(from: Monotonic.milliseconds))
    }
}
