/// The first commands on a connection to a Redis server, and the interpretation of their replies.
///
/// Error messages contain no text from the replies except the server's version, because a server could repeat the
/// password.
package struct RedisGreeting {
    /// The version and the role of a Redis server, from its replies to the first commands on a connection.
    struct Facts: Equatable {
        let version: String
        let isReplica: Bool
    }

    /// The reason why a Redis server cannot be used.
    struct Refusal: Error, Equatable {
        let reason: String
    }

    private static let minMajorVersion = 7
    private static let tooOld = Refusal(reason: "the server is too old: use Redis 7 or newer, or Valkey")
    /// The error message for a server that is neither Redis nor Valkey.
    static let notRedis = "the server is not a Redis server; check its address"
    /// The error message for a server in cluster mode. Such a server redirects clients to other servers.
    static let cluster =
        "the server is in cluster mode (Redis Cluster), which is not supported; use a server without cluster mode"

    let url: RedisURL

    /// The first commands on a connection: `HELLO`, `SELECT` for a database other than 0, and `PING`. `PING` fails
    /// while the server is loading its data.
    var commands: [RedisCommand] {
        var hello = ["HELLO", "3"]
        if url.user != nil || url.password != nil { hello += ["AUTH", url.user ?? "default", url.password ?? ""] }
        hello += ["SETNAME", "larder"]
        let select = url.database == 0 ? [] : [RedisCommand("SELECT", String(url.database))]
        return [RedisCommand(hello.map { Array($0.utf8) })] + select + [RedisCommand("PING")]
    }

    /// Returns the version and the role that the server reports in its replies to the first commands.
    func facts(_ replies: [RESPValue]) throws(Refusal) -> Facts {
        if let refusal = refusal(replies) { throw refusal }
        guard let hello = replies.first, let version = Self.text("version", of: hello) else {
            throw Refusal(reason: Self.notRedis)
        }
        guard Self.text("mode", of: hello) != "cluster" else { throw Refusal(reason: Self.cluster) }
        let numbers = Self.numbers(of: version)
        guard let major = numbers.first, major >= Self.minMajorVersion else { throw Self.tooOld }
        let role = Self.text("role", of: hello)
        let shown = numbers.map { String($0) }.joined(separator: ".")
        return Facts(version: shown, isReplica: role == "replica" || role == "slave")
    }

    /// Returns the three numbers at the start of a server's version, such as 7, 0 and 15 for `7.0.15`. Returns an empty
    /// array for any other string.
    private static func numbers(of version: String) -> [Int] {
        let parts = version.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return [] }
        func digits(of part: Substring) -> Substring { part.prefix { $0.isASCII && $0.isNumber } }
        guard digits(of: parts[0]) == parts[0], digits(of: parts[1]) == parts[1] else { return [] }
        let numbers = parts.map(digits).compactMap { $0.utf8.count <= 3 ? Int($0) : nil }
        return numbers.count == 3 ? numbers : []
    }

    /// Returns the reason for the first error among the replies received so far; nil if none of them is an error.
    func refusal(_ replies: [RESPValue]) -> Refusal? {
        for (index, reply) in replies.enumerated() {
            guard case .error(let error) = reply else { continue }
            if error.code == "NOPERM" { return Refusal(reason: Self.lack(of: index, among: commands)) }
            return Refusal(reason: reason(error, isOfHello: index == 0))
        }
        return nil
    }

    private func reason(_ error: RedisErrorReply, isOfHello: Bool) -> String {
        switch (error.code, error.cause) {
        case ("WRONGPASS", _): "the server refuses the user or the password"
        case ("NOAUTH", _): "the server asks for a password"
        case ("NOPROTO", _): Self.tooOld.reason
        case ("DENIED", _): "the server is in protected mode and accepts no connections from other machines"
        case ("LOADING", _): "the server is loading its data"
        case ("MASTERDOWN", _): "the server is a replica that has lost its primary"
        case ("BUSY", _): "the server is busy with a script"
        case ("MOVED", _), ("ASK", _), ("CROSSSLOT", _), ("CLUSTERDOWN", _): Self.cluster
        case (_, .unknownCommand) where isOfHello: Self.tooOld.reason
        case (_, .tooManyClients): "the server has too many clients"
        case (_, .noDatabase): "the server has no database \(url.database)"
        case (let code?, _): "the server refuses the connection with the error \(code)"
        case (nil, _): "the server refuses the connection with an unknown error"
        }
    }

    /// A hint for error messages about rights that the Redis user lacks. The hint names the document that lists all
    /// required rights.
    package static let rightsHint = #"; docs/shared.md lists all required rights under "Users and rights""#

    /// Returns the error message for a command that the user's ACL denies.
    ///
    /// - Parameter index: the position of the denied command in `commands`.
    private static func lack(of index: Int, among commands: [RedisCommand]) -> String {
        let name = commands.indices.contains(index) ? commands[index].arguments.first ?? [] : []
        let right = String(decoding: name, as: UTF8.self).lowercased()
        return "the user's ACL lacks +\(right)\(rightsHint)"
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
