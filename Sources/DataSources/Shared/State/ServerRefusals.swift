import System

/// What a server refuses of that which it is asked for, by the errors with which it answers: each until the same is
/// done again.
struct ServerRefusals: Equatable, Sendable {
    /// What a command is sent for. Of several that are refused the first one of these is named: it costs most.
    enum Purpose: CaseIterable {
        case reading, writing, leasing, following

        fileprivate var words: String {
            switch self {
            case .reading: "read"
            case .leasing, .writing: "write"
            case .following: "read changes"
            }
        }
    }

    /// Why something is refused, in words for a person, and since when.
    struct Refusal: Equatable, Sendable {
        let reason: String
        let since: Timestamp
    }

    private var refused: [Purpose: Refusal] = [:]

    /// What is to be told; nil where nothing is refused.
    var first: Refusal? { Purpose.allCases.lazy.compactMap { refused[$0] }.first }

    /// Why nothing, or not all, is written; nil where nothing of it is refused.
    var ofWriting: Refusal? { refused[.writing] ?? refused[.leasing] }

    /// Why nothing is read; nil where it is.
    var ofReading: Refusal? { refused[.reading] }

    /// Notes how commands were answered. Returns whether none of them was refused.
    @discardableResult
    mutating func note(_ replies: [RESPValue], of purpose: Purpose, at now: Timestamp) -> Bool {
        for case .error(let code, let message) in replies.lazy.filter(\.isRefusal) {
            let reason = "the server does not let Larder \(purpose.words): \(Self.advice(code, message))"
            if refused[purpose]?.reason != reason { refused[purpose] = Refusal(reason: reason, since: now) }
            return false
        }
        refused[purpose] = nil
        return true
    }

    private static func advice(_ code: String, _ message: String) -> String {
        switch code {
        case "READONLY": "it is a read-only replica; name the primary, or use --shared-mode read"
        case "OOM": "it has reached maxmemory and evicts nothing; set maxmemory-policy to allkeys-lru"
        case "NOPERM": "the user's ACL forbids it (\(shown(message)))"
        case "MOVED", "ASK", "CROSSSLOT", "CLUSTERDOWN":
            "it is part of a Redis Cluster, which is not supported; name a server without cluster mode (\(code))"
        case "MISCONF": "it cannot save to its disk and refuses to be written to"
        default: "it says \(shown(message))"
        }
    }

    /// What a server says may be anything.
    private static func shown(_ message: String) -> String {
        let bytes = message.utf8.prefix(200).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension RESPValue {
    /// Whether it says that a command was not done. A value of another type under a key is no fault of the server: it
    /// counts as missing.
    var isRefusal: Bool { if case .error(let code, _) = self { code != "WRONGTYPE" } else { false } }
}
