import Redis
import System

/// What a server refuses of that which it is asked for, by the errors with which it answers: each until the same is
/// done again.
struct ServerRefusals: Equatable, Sendable {
    /// What a command is sent for. Of several that are refused the first one of these is named: it costs most.
    enum Purpose: CaseIterable {
        case reading, writing, leasing

        fileprivate var words: String {
            switch self {
            case .reading: "read"
            case .leasing, .writing: "write"
            }
        }
    }

    /// Why something is refused, in words for a person, and since when.
    struct Refusal: Equatable, Sendable {
        let reason: String
        let since: Timestamp
        /// What kind of fault it is, where that is known.
        let fault: SharedFault?
    }

    private var refused: [Purpose: Refusal] = [:]
    /// What the user lacks; nil where that is nothing, as far as is known.
    private var lack: Refusal?
    /// The rights that the user lacks, in the words of an ACL.
    private(set) var missing: [String] = []

    /// What is to be told; nil where nothing is refused. Which rights are missing says more than what was refused for
    /// it.
    var first: Refusal? { lack ?? Purpose.allCases.lazy.compactMap { refused[$0] }.first }

    /// Why nothing, or not all, is written; nil where nothing of it is refused.
    var ofWriting: Refusal? {
        let isOfWriting = missing.contains { !Self.rightsToRead.contains($0) }
        return (isOfWriting ? lack : nil) ?? refused[.writing] ?? refused[.leasing]
    }

    /// Why nothing is read; nil where it is.
    var ofReading: Refusal? { refused[.reading] }

    /// Which rights are enough to read.
    private static let rightsToRead: Set = ["+mget"]

    /// Notes which rights the user lacks. Where it has all that it lacked before, what was refused for want of them is
    /// refused no longer.
    mutating func note(missing rights: [String], at now: Timestamp) {
        if rights == missing { return }
        missing = rights
        guard let last = rights.last else {
            lack = nil
            refused = refused.filter { $0.value.fault != .right }
            return
        }
        let others = rights.dropLast()
        let list = others.isEmpty ? last : "\(others.joined(separator: ", ")) and \(last)"
        lack = Refusal(
            reason:
                "the server does not let Larder do all that it should: the user's ACL lacks \(list)\(RedisGreeting.rightsHint)",
            since: now, fault: .right)
    }

    /// Notes how commands were answered. Returns whether none of them was refused.
    @discardableResult
    mutating func note(_ replies: [RESPValue], of purpose: Purpose, at now: Timestamp) -> Bool {
        for case .error(let error) in replies.lazy.filter(\.isRefusal) {
            let reason = "the server does not let Larder \(purpose.words): \(Self.advice(error))"
            if refused[purpose]?.reason != reason {
                refused[purpose] = Refusal(reason: reason, since: now, fault: SharedFault(error))
            }
            return false
        }
        if !refused.isEmpty { refused[purpose] = nil }
        return true
    }

    private static func advice(_ error: RedisErrorReply) -> String {
        switch error.cause {
        case .lackOfKeys: return "the user's ACL lacks keys of its namespace\(RedisGreeting.rightsHint)"
        case .lackOfCommand(let name):
            return
                "the user's ACL lacks \(name.map { "+\($0)" } ?? "a right that the server does not name")\(RedisGreeting.rightsHint)"
        case .unknownCommand, .tooManyClients, .noDatabase, .other: break
        }
        return switch error.code {
        case "READONLY": "it is a read-only replica; name the primary, or use --shared-mode read"
        case "OOM": "it has reached maxmemory and evicts nothing; set maxmemory-policy to allkeys-lru"
        case let code? where ["MOVED", "ASK", "CROSSSLOT", "CLUSTERDOWN"].contains(code):
            "it is part of a Redis Cluster, which is not supported; name a server without cluster mode (\(code))"
        case "MISCONF": "it cannot save to its disk and refuses to be written to"
        case let code?: "it answers with the error \(code)"
        case nil: "it answers with an unknown error"
        }
    }
}
