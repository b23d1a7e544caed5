import DataSources
import JSON
import Model
import Protocol
import Repositories

/// One case of a policy: the state of each level, and the outcome of the remote.
struct PolicyCase: CustomStringConvertible {
    let policy: CachePolicy
    let first: LevelState
    let second: LevelState
    let outcome: RemoteOutcome

    var description: String { "\(policy) L1 \(first) L2 \(second) remote \(outcome)" }
}

/// The state of the entry in one level of the cache.
enum LevelState: CaseIterable {
    case missing, fresh, stale, invalidated
}

/// The outcome of a request to the remote.
enum RemoteOutcome: CaseIterable {
    case value
    case notFound, unauthorized, serverError500, serverError418, network, timeout, decodingFailed, tooLarge
    case invalidResponse, invalidRequest, rateLimited, cancelled

    /// The error; nil for a value.
    var error: APIError? {
        switch self {
        case .value: nil
        case .notFound: APIError(.notFound, "no such thing", status: 404)
        case .unauthorized: APIError(.unauthorized, "who are you", status: 401)
        case .serverError500: APIError(.serverError, "broken", status: 500)
        case .serverError418: APIError(.serverError, "a teapot", status: 418)
        case .network: APIError(.network, "reset")
        case .timeout: APIError(.timeout, "no answer")
        case .decodingFailed: APIError(.decodingFailed, "not the shape", path: "name")
        case .tooLarge: APIError(.tooLarge, "too large")
        case .invalidResponse: APIError(.invalidResponse, "not HTTP")
        case .invalidRequest: APIError(.invalidRequest, "refused", status: 422)
        case .rateLimited: APIError(.rateLimited, "slow down", status: 429, retryAfter: 7)
        case .cancelled: APIError(.cancelled, "left")
        }
    }

    /// Whether a cached entry may be returned instead of the error.
    var fallsBack: Bool {
        switch self {
        case .serverError500, .network, .timeout, .decodingFailed, .tooLarge, .invalidResponse, .rateLimited: true
        case .value, .notFound, .unauthorized, .serverError418, .invalidRequest, .cancelled: false
        }
    }
}

/// The level or the remote that a value comes from.
enum Origin {
    case first, second, remote
}

/// An independent model of the policies, derived from the documented rules. It predicts the answer, whether the remote
/// is asked, and the contents of the levels afterwards.
struct PolicyModel {
    enum Reply: Equatable {
        case answer(Origin, isStale: Bool, fallback: APIError?)
        case failure(APIError)
        case notCached
    }

    private(set) var reply = Reply.notCached
    private(set) var isRemoteAsked = false
    private(set) var firstAfter: Origin?
    private(set) var secondAfter: Origin?

    init(_ given: PolicyCase) {
        firstAfter = given.first == .missing ? nil : .first
        secondAfter = given.second == .missing ? nil : .second
        switch given.policy {
        case .none:
            isRemoteAsked = true
            reply =
                given.outcome.error.map { .failure($0) } ?? .answer(.remote, isStale: false, fallback: nil)
        case .localOnly:
            readAnyAge(given)
        case .localFirst where given.first == .fresh:
            reply = .answer(.first, isStale: false, fallback: nil)
        case .localFirst where given.second == .fresh:
            reply = .answer(.second, isStale: false, fallback: nil)
            firstAfter = .second
        case .localFirst, .remoteFirst:
            askRemote(given)
        }
    }

    /// Reads L1, then L2, at any age. An entry from L2 is promoted to L1.
    private mutating func readAnyAge(_ given: PolicyCase) {
        if given.first != .missing {
            reply = .answer(.first, isStale: given.first != .fresh, fallback: nil)
        } else if given.second != .missing {
            reply = .answer(.second, isStale: given.second != .fresh, fallback: nil)
            firstAfter = .second
        }
    }

    /// Asks the remote. A value is stored in both levels; `notFound` removes the entry from both. If the error allows
    /// it, the entry of the upper level is returned, and nothing is promoted.
    private mutating func askRemote(_ given: PolicyCase) {
        isRemoteAsked = true
        guard let error = given.outcome.error else {
            reply = .answer(.remote, isStale: false, fallback: nil)
            (firstAfter, secondAfter) = (.remote, .remote)
            return
        }
        if given.outcome == .notFound { (firstAfter, secondAfter) = (nil, nil) }
        switch (given.outcome.fallsBack, given.first, given.second) {
        case (false, _, _), (true, .missing, .missing): reply = .failure(error)
        case (true, .missing, _): reply = .answer(.second, isStale: true, fallback: error)
        case (true, _, _): reply = .answer(.first, isStale: true, fallback: error)
        }
    }
}
