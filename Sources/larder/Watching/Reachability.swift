import Catalog
import DataSources
import HTTP
import Model

/// Finds out whether APIs are reached at all, for a person who asks.
public struct Reachability: Sendable {
    private static let largestBody = 1 << 20

    private let transport: any HTTPTransportContract
    private let errors: HTTPErrorMapper

    /// - Parameter redactor: takes secrets out of what is told.
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

    /// Why an API does not answer within so many milliseconds; nil where it answers, whatever that is. Its base URL is
    /// asked for, once and without credentials.
    public func failure(of api: APIDefinition, within limit: Int) async -> String? {
        var request = HTTPRequest(url: api.reachedAt, timeout: limit, maxBodySize: Self.largestBody)
        request.connection = api.connection
        do throws(HTTPError) {
            _ = try await transport.send(request)
            return nil
        } catch {
            switch error.reason {
            case .emptyBody, .status, .badRedirect, .tooLarge, .tooLargeForAll, .noRoom, .tooManyRedirects: return nil
            default: return errors.map(error).message
            }
        }
    }
}
