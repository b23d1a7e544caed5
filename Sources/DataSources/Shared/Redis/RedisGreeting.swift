/// What is said first over a connection, and what its replies tell of the server.
///
/// The words of the server's refusals are never shown: an old one quotes the whole command, with the password.
struct RedisGreeting {
    /// What the server says of itself.
    struct Facts: Equatable {
        let version: String
        let isReplica: Bool
    }

    /// Why the server is not used.
    struct Refusal: Error, Equatable {
        let reason: String
    }

    private static let oldest = 7
    private static let tooOld = Refusal(reason: "the server is too old: Redis 7 or newer, or Valkey, is needed")
    private static let noRedis = Refusal(reason: "what answers there is no Redis server")
    /// What is said of a server that sends clients elsewhere.
    static let cluster = "the server is in cluster mode (Redis Cluster), which is not supported: name a single one"

    let url: RedisURL

    /// `PING` tells whether it answers questions yet: it may be loading its data.
    var commands: [RedisCommand] {
        var hello = ["HELLO", "3"]
        if url.user != nil || url.password != nil { hello += ["AUTH", url.user ?? "default", url.password ?? ""] }
        hello += ["SETNAME", "larder"]
        let select = url.database == 0 ? [] : [RedisCommand("SELECT", String(url.database))]
        return [RedisCommand(hello.map { Array($0.utf8) })] + select + [RedisCommand("PING")]
    }

    /// What the replies tell.
    ///
    /// - Throws: `Refusal` where the server cannot be used.
    func facts(_ replies: [RESPValue]) throws(Refusal) -> Facts {
        if let refusal = refusal(replies) { throw refusal }
        guard let hello = replies.first, let version = Self.text("version", of: hello) else { throw Self.noRedis }
        guard Self.text("mode", of: hello) != "cluster" else { throw Refusal(reason: Self.cluster) }
        let number = version.prefix { $0 != "." }
        guard let major = Int(number), major >= Self.oldest else { throw Self.tooOld }
        let role = Self.text("role", of: hello)
        let plain = version.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
        return Facts(version: String(plain.prefix(32)), isReplica: role == "replica" || role == "slave")
    }

    /// What the first error among the replies means, which may be fewer than the commands; nil where there is none.
    func refusal(_ replies: [RESPValue]) -> Refusal? {
        for (index, reply) in replies.enumerated() {
            guard case .error(let code, let message) = reply else { continue }
            if code == "NOPERM" { return Refusal(reason: Self.lack(of: index, among: commands)) }
            return Refusal(reason: reason(code, message, isOfHello: index == 0))
        }
        return nil
    }

    private func reason(_ code: String, _ message: String, isOfHello: Bool) -> String {
        switch code {
        case "WRONGPASS": return "the server refuses the user or the password"
        case "NOAUTH": return "the server asks for a password"
        case "NOPROTO": return Self.tooOld.reason
        case "DENIED": return "the server is in protected mode and takes no connections from other machines"
        case "LOADING": return "the server is loading its data"
        case "MASTERDOWN": return "the server is a replica that has lost its primary"
        case "BUSY": return "the server is busy with a script"
        case "MOVED", "ASK", "CROSSSLOT", "CLUSTERDOWN": return Self.cluster
        case "ERR" where message.hasPrefix("ERR unknown command") && isOfHello: return Self.tooOld.reason
        case "ERR" where message.hasPrefix("ERR max number of clients"): return "the server has too many clients"
        case "ERR" where message.hasPrefix("ERR DB index") || message.hasPrefix("ERR invalid DB index"):
            return "the server has no database \(url.database)"
        default:
            let isWord = !code.isEmpty && code.utf8.count <= 20 && code.utf8.allSatisfy { $0 >= 0x41 && $0 <= 0x5A }
            return isWord ? "the server refuses with \(code)" : "the server refuses"
        }
    }

    /// In words of its own: which of the commands was refused is known by its place.
    private static func lack(of index: Int, among commands: [RedisCommand]) -> String {
        let name = commands.indices.contains(index) ? commands[index].arguments.first ?? [] : []
        let right = String(decoding: name, as: UTF8.self).lowercased()
        return "the user's ACL lacks +\(right)\(ServerRefusals.whole)"
    }

    private static func text(_ name: String, of value: RESPValue) -> String? {
        guard case .map(let members) = value else { return nil }
        for index in stride(from: 0, to: members.count - 1, by: 2) where members[index] == .text(Array(name.utf8)) {
            guard case .text(let bytes) = members[index + 1] else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
        return nil
    }
}
