import System

@testable import DataSources

/// What a Redis server has: texts and streams. Connections of several machines (`RedisServerDouble`) may use one.
final class RedisData: Sendable {
    private let store = Lock(RedisScripts())
    private let clock: any ClockContract

    init(clock: any ClockContract) { self.clock = clock }

    /// Does a command.
    func run(_ command: RedisCommand) -> RESPValue {
        let now = clock.now().milliseconds
        return store.withLock { $0.run(command, at: now) }
    }

    /// The bytes under a key.
    func bytes(_ key: String) -> [UInt8]? {
        let now = clock.now().milliseconds
        return store.withLock { $0.store.get(key, at: now) }
    }

    /// The text under a key.
    func text(_ key: String) -> String? { bytes(key).map { String(decoding: $0, as: UTF8.self) } }

    /// For how many milliseconds from now a text is kept; nil where it is for ever, or there is none.
    func life(_ key: String) -> Int64? {
        let now = clock.now().milliseconds
        return store.withLock { $0.store.end(key) }.map { $0 - now }
    }

    /// Puts a text under a key; nil takes it away.
    func set(_ key: String, _ bytes: [UInt8]?) { store.withLock { $0.store.set(key, bytes, end: nil) } }

    /// Appends an event with a tag to a stream.
    func tell(_ stream: String, _ event: [UInt8], _ tag: [UInt8]) {
        store.withLock { $0.store.append(stream, event, tag) }
    }

    /// Forgets a stream.
    func drop(_ stream: String) { store.withLock { $0.store.drop(stream) } }

    /// The ids of the entries of a stream.
    func ids(_ stream: String) -> [String] { store.withLock { $0.store.entries(stream).map(\.id) } }
}

/// The texts and streams themselves.
struct RedisStore {
    /// One entry of a stream.
    struct Entry {
        let number: Int
        let event: [UInt8]
        let tag: [UInt8]

        var id: String { "\(number)-0" }

        var reply: RESPValue {
            .array([.text(Array(id.utf8)), .array([.text([0x65]), .text(event), .text([0x74]), .text(tag)])])
        }
    }

    private var texts: [String: (bytes: [UInt8], end: Int64?)] = [:]
    private var streams: [String: [Entry]] = [:]
    private var lastNumber = 0

    func get(_ key: String, at now: Int64) -> [UInt8]? {
        guard let text = texts[key], text.end.map({ $0 > now }) ?? true else { return nil }
        return text.bytes
    }

    func end(_ key: String) -> Int64? { texts[key]?.end }

    mutating func set(_ key: String, _ bytes: [UInt8]?, end: Int64?) { texts[key] = bytes.map { ($0, end) } }

    /// Returns whether it was there.
    mutating func remove(_ key: String, at now: Int64) -> Bool {
        defer { texts[key] = nil }
        return get(key, at: now) != nil
    }

    mutating func append(_ stream: String, _ event: [UInt8], _ tag: [UInt8]) {
        lastNumber += 1
        streams[stream, default: []].append(Entry(number: lastNumber, event: event, tag: tag))
    }

    mutating func drop(_ stream: String) { streams[stream] = nil }

    func entries(_ stream: String) -> [Entry] { streams[stream] ?? [] }
}
