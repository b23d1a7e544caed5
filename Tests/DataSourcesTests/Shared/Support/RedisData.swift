import System

@testable import DataSources
@testable import Redis

/// The data of a Redis server. The connections of several machines (`RedisServerDouble`) can share it.
final class RedisData: Sendable {
    private let scripts = Lock(RedisScripts())
    private let clock: any ClockContract

    init(clock: any ClockContract) { self.clock = clock }

    /// Executes a command.
    func run(_ command: RedisCommand) -> RESPValue {
        let now = clock.now().milliseconds
        return scripts.withLock { $0.run(command, at: now) }
    }

    /// Returns the bytes under a key.
    func bytes(_ key: String) -> [UInt8]? {
        let now = clock.now().milliseconds
        return scripts.withLock { $0.store.get(key, at: now) }
    }

    /// Returns the value of a key as a string.
    func text(_ key: String) -> String? { bytes(key).map { String(decoding: $0, as: UTF8.self) } }

    /// Returns the remaining lifetime of a key in milliseconds; nil if it is unlimited or the key is missing.
    func life(_ key: String) -> Int64? {
        let now = clock.now().milliseconds
        return scripts.withLock { $0.store.end(key) }.map { $0 - now }
    }

    /// Stores a string under a key; nil removes the key.
    func set(_ key: String, _ bytes: [UInt8]?) { scripts.withLock { $0.store.set(key, bytes, end: nil) } }
}

/// Values with a lifetime, by key.
struct RedisStore {
    private var texts: [String: (bytes: [UInt8], end: Int64?)] = [:]

    func get(_ key: String, at now: Int64) -> [UInt8]? {
        guard let text = texts[key], text.end.map({ $0 > now }) ?? true else { return nil }
        return text.bytes
    }

    func end(_ key: String) -> Int64? { texts[key]?.end }

    mutating func set(_ key: String, _ bytes: [UInt8]?, end: Int64?) { texts[key] = bytes.map { ($0, end) } }

    /// Removes a key. Returns whether it existed.
    mutating func remove(_ key: String, at now: Int64) -> Bool {
        defer { texts[key] = nil }
        return get(key, at: now) != nil
    }
}
