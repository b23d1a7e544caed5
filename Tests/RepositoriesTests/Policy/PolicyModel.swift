import DataSources
import JSON
import Model
import Protocol
import Repositories

/// One way that a policy can go: what each level has, and what the remote would answer.
struct PolicyCase: CustomStringConvertible {
    let policy: CachePolicy
    let first: LevelState
    let second: LevelState
    let outcome: RemoteOutcome

    var description: String { "\(policy) L1 \(first) L2 \(second) remote \(outcome)" }
}

/// What a level of the cache has.
enum LevelState: CaseIterable {
    case missing, fresh, stale, invalidated
}

/// What the remote would answer.
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

    /// Whether the cache stands in for it.
    var fallsBack: Bool {
        switch self {
        case .serverError500, .network, .timeout, .decodingFailed, .tooLarge, .invalidResponse, .rateLimited: true
        case .value, .notFound, .unauthorized, .serverError418, .invalidRequest, .cancelled: false
        }
    }
}

/// Whose value it is.
enum Origin {
    case first, second, remote
}

/// What a policy does, read off the rules and not off the code: what is answered, whether the remote is asked, and what
/// the levels have afterwards.
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

    /// L1, then L2, any age; what L2 had goes into L1.
    private mutating func readAnyAge(_ given: PolicyCase) {
        if given.first != .missing {
            reply = .answer(.first, isStale: given.first != .fresh, fallback: nil)
        } else if given.second != .missing {
            reply = .answer(.second, isStale: given.second != .fresh, fallback: nil)
            firstAfter = .second
        }
    }

    /// A value goes into both levels, a `notFound` clears both. Where the error allows it an entry stands in, the
    /// nearest first, and nothing moves.
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
