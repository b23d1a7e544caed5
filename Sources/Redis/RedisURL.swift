import HTTP
import Model
import System

/// The reason why the URL of a Redis server is invalid. The message contains no part of the URL, which may contain a
/// password.
public struct RedisURLFault: Error, Equatable, Sendable {
    public let message: String

    init(_ message: String) { self.message = message }
}

/// The address of a Redis server: `redis://[user[:password]@]host[:port][/db]`, `rediss://...` for TLS, or
/// `unix://[user[:password]@]/path[?db=0]`.
public struct RedisURL: Equatable, Sendable {
    private static let defaultPort = 6379
    private static let hint = "; percent-encode the characters / ? # % in the user and the password"

    /// The user, percent-decoded; nil if the URL has none.
    public var user: String?
    /// The password, percent-decoded; nil if the URL has none.
    public var password: String?
    /// The URL without user and password.
    public let shown: String
    let database: Int
    let place: CurlSocket.Place

    /// Parses the URL of a Redis server.
    ///
    /// - Throws: `RedisURLFault` if the URL is invalid.
    public init(_ text: String) throws(RedisURLFault) {
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else {
            throw RedisURLFault("the URL must not have spaces, control characters or non-ASCII characters")
        }
        guard let mark = text.firstRange(of: "://") else {
            throw RedisURLFault("the URL must begin with redis://, rediss:// or unix://")
        }
        let scheme = text[..<mark.lowerBound].lowercased()
        guard ["redis", "rediss", "unix"].contains(scheme) else {
            throw RedisURLFault("the URL must begin with redis://, rediss:// or unix://")
        }
        guard !text.utf8.contains(UInt8(ascii: "#")) else {
            throw RedisURLFault("the URL has a fragment (#)" + Self.hint)
        }
        let rest = text[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let tail = rest[authority.endIndex...]
        guard !tail.utf8.contains(UInt8(ascii: "@")) else {
            throw RedisURLFault("the URL has / or ? before an @, probably in the password" + Self.hint)
        }
        let at = authority.lastIndex(of: "@")
        if let at { (user, password) = Self.userinfo(authority[..<at]) }
        let host = at.map { authority[authority.index(after: $0)...] } ?? authority
        shown = "\(scheme)://\(host)\(tail)"
        if scheme == "unix" {
            guard host.isEmpty else {
                throw RedisURLFault("a socket path needs three slashes: unix:///run/redis.sock")
            }
            (place, database) = try Self.socket(tail)
        } else {
            let (name, port) = try Self.hostAndPort(host)
            place = .host(name, port: port, isSecure: scheme == "rediss")
            database = try Self.database(ofPath: tail)
        }
    }

    private static func userinfo(_ text: Substring) -> (user: String?, password: String?) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        func given(_ index: Int) -> String? {
            parts.indices.contains(index) && !parts[index].isEmpty ? PercentEncoding.decode(String(parts[index])) : nil
        }
        return (given(0), given(1))
    }

    private static func hostAndPort(_ text: Substring) throws(RedisURLFault) -> (host: String, port: Int) {
        let host: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.lastIndex(of: "]"), text[..<end].dropFirst().allSatisfy({ isOfIPv6($0) }),
                text[..<end].count > 2
            else { throw RedisURLFault("the address in brackets must be an IPv6 address") }
            host = text[...end]
            rest = text[text.index(after: end)...]
        } else {
            host = text.prefix { $0 != ":" }
            rest = text[host.endIndex...]
            guard !host.isEmpty else { throw RedisURLFault("the URL has no host" + hint) }
            guard host.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) }) else {
                throw RedisURLFault("the host contains an invalid character" + hint)
            }
        }
        if rest.isEmpty { return (String(host), defaultPort) }
        let digits = rest.dropFirst()
        guard rest.first == ":", let port = number(digits), (1...65535).contains(port) else {
            throw RedisURLFault("the port must be a number from 1 to 65535" + hint)
        }
        return (String(host), port)
    }

    private static func isOfIPv6(_ character: Character) -> Bool {
        character.isHexDigit || character == ":" || character == "."
    }

    private static func database(ofPath path: Substring) throws(RedisURLFault) -> Int {
        guard !path.contains("?") else {
            throw RedisURLFault("the URL has a query (?), which only unix URLs may have" + hint)
        }
        if path.isEmpty || path == "/" { return 0 }
        guard let database = number(path.dropFirst()) else {
            throw RedisURLFault("the path must be the number of a database: redis://localhost:6379/0" + hint)
        }
        return database
    }

    private static func socket(_ tail: Substring) throws(RedisURLFault) -> (CurlSocket.Place, Int) {
        let written = tail.prefix { $0 != "?" }
        let decoded = PercentEncoding.decode(String(written))
        let path = FilePath(decoded)
        guard written.hasPrefix("/"), path.bytes.count > 1 else {
            throw RedisURLFault("the URL has no socket path: use unix:///run/redis.sock")
        }
        // The system call would take a NUL for the end of the path.
        guard !decoded.utf8.contains(0) else {
            throw RedisURLFault("the path of the socket must not contain a NUL character")
        }
        let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        guard path.bytes.count <= limit else {
            throw RedisURLFault(
                "the path of the socket must have at most \(limit) bytes, the system's limit; use a shorter path")
        }
        let query = tail[written.endIndex...]
        if query.isEmpty { return (.path(path), 0) }
        guard query.hasPrefix("?db="), let database = number(query.dropFirst(4)) else {
            throw RedisURLFault("the query must be ?db=NUMBER, such as ?db=0" + hint)
        }
        return (.path(path), database)
    }

    /// Parses a number of 1 to 9 digits, such as a port; nil for any other string.
    private static func number(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.count <= 9, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            return nil
        }
        return Int(digits)
    }
}
