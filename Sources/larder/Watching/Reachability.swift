import Catalog
import DataSources
import HTTP
import Model

/// Tests whether APIs are reachable.
public struct Reachability: Sendable {
    private static let maxBodySize = 1 << 20

    private let transport: any HTTPTransportContract
    private let errors: HTTPErrorMapper

    /// Creates a test that sends its requests through the transport.
    ///
    /// - Parameter redactor: replaces secrets in error messages.
    public init(_ transport: any HTTPTransportContract, redactor: Redactor) {
        self.transport = transport
        errors = HTTPErrorMapper(redactor: redactor)
    }

    /// The name and version of the HTTP library, such as `libcurl/8.5.0`, or the reason why it cannot be opened.
    public static var library: Result<String, APIError> {
        do throws(HTTPError) {
            return .success(try HTTPLibrary.version())
        } catch {
            if case .network(let reason) = error.reason { return .failure(APIError(.network, reason)) }
            return .failure(HTTPErrorMapper(redactor: .none).map(error))
        }
    }

    /// Sends one request without credentials to an API's base URL. Returns nil for any response, or the reason why
    /// there was none.
    ///
    /// - Parameter limit: the timeout, in milliseconds.
    public func failure(of api: APIDefinition, within limit: Int) async -> String? {
        var request = HTTPRequest(url: api.effectiveBaseURL, timeout: limit, maxBodySize: Self.maxBodySize)
        request.connection = api.connection
        do throws(HTTPError) {
            _ = try await transport.send(request)
            return nil
        } catch {
            switch error.reason {
            case .emptyBody, .status, .badRedirect, .tooLarge, .exceedsBodyBudget, .noRoom, .tooManyRedirects:
                return nil
            default: return errors.map(error).message
            }
        }
    }
}
