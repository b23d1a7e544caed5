import Catalog
import DataSources
import HTTP
import Model
import System

/// Tests whether APIs respond to requests.
public struct Reachability: Sendable {
    private static let maxBodySize = 1 << 20

    private let transport: any HTTPTransportContract
    private let errors: HTTPErrorMapper

    /// Creates a test that sends its requests with the given HTTP client.
    ///
    /// - Parameter redactor: replaces secrets in error messages.
    public init(_ transport: any HTTPTransportContract, redactor: Redactor) {
        self.transport = transport
        errors = HTTPErrorMapper(redactor: redactor)
    }

    /// The name and version of the HTTP library, such as `libcurl/8.5.0`. If the library cannot be loaded, the result
    /// is an error with the reason.
    public static var library: Result<String, APIError> {
        do throws(HTTPError) {
            return .success(try HTTPLibrary.version())
        } catch {
            if case .network(let reason) = error.reason { return .failure(APIError(.network, reason)) }
            return .failure(HTTPErrorMapper(redactor: .none).map(error))
        }
    }

    /// Sends one request without credentials to the base URL of an API. Returns the reason why there was no response.
    /// Returns nil if the API responded, even with an error status.
    ///
    /// - Parameter limit: the time limit of the request, in milliseconds.
    public func failure(of api: APIDefinition, within limit: Milliseconds) async -> String? {
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
