/// Sends requests when a limiter lets them. A request's `timeout` covers the wait.
public struct LimitingHTTPClient: HTTPClientContract {
    private let client: any HTTPClientContract
    private let limiter: RequestLimiter
    private let timer: any TimerContract

    /// A client that holds back what another one sends.
    public init(_ client: any HTTPClientContract, limiter: RequestLimiter, timer: any TimerContract = SystemTimer()) {
        self.client = client
        self.limiter = limiter
        self.timer = timer
    }

    /// Waits for the limiter and sends the request with the time that is left.
    ///
    /// - Throws: the other client's errors; `.limited` and `.crowded` where no request was made.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let deadline = timer.deadline(of: request)
        try await limiter.enter(before: deadline)
        defer { limiter.leave() }
        var request = request
        request.timeout = max(1, deadline - timer.milliseconds)
        return try await client.send(request)
    }
}

extension TimerContract {
    /// When a request that is made now must have ended.
    func deadline(of request: HTTPRequest) -> Int { milliseconds + max(0, min(request.timeout, Int(Int32.max))) }
}
