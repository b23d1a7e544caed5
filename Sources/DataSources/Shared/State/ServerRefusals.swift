import Redis
import System

/// The refusals of commands by the Redis server. There is at most one refusal for each purpose of a command: reading,
/// writing and leasing. A refusal ends when a command with the same purpose succeeds.
struct ServerRefusals: Equatable, Sendable {
    /// The purpose of a command. The order of the cases is their priority: if the Redis server refuses commands of
    /// several purposes, Larder reports only the first.
    enum Purpose: CaseIterable {
        case reading, writing, leasing

        fileprivate var verb: String {
            switch self {
            case .reading: "read"
            case .leasing, .writing: "write"
            }
        }
    }

    /// A refusal by the Redis server: a message for users with the reason, and the time of the first refused command.
    struct Refusal: Equatable, Sendable {
        let reason: String
        let since: Timestamp
        /// The kind of fault that caused the refusal; nil if it is not known.
        let fault: SharedFault?
    }

    private var refused: [Purpose: Refusal] = [:]
    /// The refusal that is caused by missing rights of the Redis user. Its message lists these rights. Nil if no right
    /// is missing.
    private var lack: Refusal?
    /// The rights that the Redis user lacks, in the syntax of a Redis ACL.
    private(set) var missing: [String] = []

    /// The refusal to report to users; nil if no command is refused. Missing rights have priority, because they can
    /// cause the other refusals.
    var first: Refusal? { lack ?? Purpose.allCases.lazy.compactMap { refused[$0] }.first }

    /// The refusal of commands that write; nil if the Redis server accepts such commands.
    var ofWriting: Refusal? {
        let isOfWriting = missing.contains { !Self.rightsToRead.contains($0) }
        return (isOfWriting ? lack : nil) ?? refused[.writing] ?? refused[.leasing]
    }

    /// The refusal of commands that read; nil if the Redis server accepts such commands.
    var ofReading: Refusal? { refused[.reading] }

    /// The rights that the Redis user needs to read from the Redis server.
    private static let rightsToRead: Set = ["+mget"]

    /// Records which rights the Redis user lacks. If `rights` is empty, also removes the refusals that were caused by
    /// missing rights.
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
                "the Redis server denies commands: the user's ACL lacks \(list)\(RedisGreeting.rightsHint)",
            since: now, fault: .right)
    }

    /// Checks the Redis server's replies to commands with the given purpose. If the server refused a command, records
    /// the refusal and returns false. Otherwise ends the recorded refusal for this purpose and returns true.
    @discardableResult
    mutating func note(_ replies: [RESPValue], of purpose: Purpose, at now: Timestamp) -> Bool {
        for case .error(let error) in replies.lazy.filter(\.isRefusal) {
            let reason = "the server does not let Larder \(purpose.verb): \(Self.advice(error))"
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
        case .lackOfKeys: return "the Redis user's ACL lacks the keys of the namespace\(RedisGreeting.rightsHint)"
        case .lackOfCommand(let name):
            return
                "the user's ACL lacks \(name.map { "+\($0)" } ?? "a right that the server does not name")\(RedisGreeting.rightsHint)"
        case .unknownCommand, .tooManyClients, .noDatabase, .other: break
        }
        return switch error.code {
        case "READONLY": "the server is a read-only replica; use the primary, or --shared-mode read"
        case "OOM": "the server has reached maxmemory and evicts no keys; set maxmemory-policy to allkeys-lru"
        case let code? where ["MOVED", "ASK", "CROSSSLOT", "CLUSTERDOWN"].contains(code):
            "the server is part of a Redis Cluster, which is not supported; use a server without cluster mode (\(code))"
        case "MISCONF": "the server cannot save to its disk; see the log of the server"
        case let code?: "the Redis server returned the error \(code); see its log"
        case nil: "the Redis server returned an unknown error; see its log"
        }
    }
}
