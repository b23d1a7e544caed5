/// A complete answer, whatever its status.
public struct HTTPResponse: Equatable, Sendable {
    /// The status code, 100 to 599.
    public var status: Int
    /// The header fields in the order of arrival.
    public var headers: [HTTPHeader]
    /// The decoded body (a `Content-Encoding` is undone).
    public var body: [UInt8]

    /// An answer.
    public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
