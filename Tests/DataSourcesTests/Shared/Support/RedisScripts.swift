import System

@testable import DataSources
@testable import Model
@testable import Redis

/// An interpreter of the commands that Larder sends. It recognizes a script of `SharedScript` by its text.
struct RedisScripts {
    var store = RedisStore()

    mutating func run(_ command: RedisCommand, at now: Int64) -> RESPValue {
        let words = command.words
        switch words[0] {
        case "PING": return .text(Array("PONG".utf8))
        case "MGET": return .array(words.dropFirst().map { store.get($0, at: now).map { .text($0) } ?? .null })
        case "GET": return store.get(words[1], at: now).map { .text($0) } ?? .null
        case "EVAL":
            guard let count = Int(words[2]) else { return wrong }
            return eval(
                words[1], keys: Array(words[3..<(3 + count)]), Array(command.arguments[(3 + count)...]), at: now)
        default: return wrong
        }
    }

    private var wrong: RESPValue { .error(code: "ERR", message: "ERR unknown command") }

    private mutating func eval(
        _ script: String, keys: [String], _ arguments: [[UInt8]], at now: Int64
    ) -> RESPValue {
        let words = arguments.map { String(decoding: $0, as: UTF8.self) }
        switch script {
        case SharedScript.beginFetch:
            let text = generations(keys[0], at: now)?.text ?? words[0]
            keep(keys[0], text, at: now)
            return .array([.text(Array(text.utf8)), .text(Array(String(now * 1000).utf8))])
        case SharedScript.renewGeneration:
            let old = words[0] == "invalidated" ? generations(keys[0], at: now) : nil
            keep(keys[0], old.map { $0.removed + words[1].dropFirst(16) } ?? words[1], at: now)
            return .integer(1)
        case SharedScript.storeTombstones:
            for key in keys { storeTombstone(key, words, at: now) }
            return .integer(Int64(keys.count))
        case SharedScript.markStale:
            for key in keys {
                if let value = store.get(key, at: now), value.first != UInt8(ascii: "x") {
                    let mark = Array("s\(now * 1000)".utf8)
                    store.set(key, mark + value.drop { $0 != UInt8(ascii: "{") }, end: store.end(key))
                } else {
                    storeTombstone(key, words, at: now)
                }
            }
            return .integer(Int64(keys.count))
        case SharedScript.store: return keep(keys, arguments, words, at: now)
        case SharedScript.takeLease:
            if store.get(keys[0], at: now) != nil, store.end(keys[0]) != nil { return .integer(0) }
            store.set(keys[0], arguments[0], end: now + (Int64(words[1]) ?? 0))
            return .integer(1)
        case SharedScript.renewLease:
            guard store.get(keys[0], at: now) == arguments[0] else { return .integer(0) }
            store.set(keys[0], arguments[0], end: now + (Int64(words[1]) ?? 0))
            return .integer(1)
        case SharedScript.endLease:
            guard store.get(keys[0], at: now) == arguments[0] else { return .integer(0) }
            return .integer(store.remove(keys[0], at: now) ? 1 : 0)
        case SharedScript.tryRights: return .array([])
        case SharedScript.takeToken: return takeToken(keys[0], words, at: now)
        default: return wrong
        }
    }

    private mutating func storeTombstone(_ key: String, _ words: [String], at now: Int64) {
        store.set(key, Array("x\(now * 1000)".utf8), end: now + (Int64(words[0]) ?? 0))
    }

    private mutating func keep(
        _ keys: [String], _ arguments: [[UInt8]], _ words: [String], at now: Int64
    ) -> RESPValue {
        guard store.get(keys[0], at: now) == arguments[0], let began = Int64(words[1]) else { return .integer(-1) }
        var count: Int64 = 0
        for (index, key) in keys.dropFirst().enumerated() {
            let first = 2 + index * 3
            let old = store.get(key, at: now) ?? []
            if let marked = Self.markedAt(old), marked >= began, marked <= now * 1000 { continue }
            if let fetched = Self.fetchedAt(old), let new = Int64(words[first + 2]), fetched > new,
                fetched <= now + SharedValue.maxAhead
            {
                continue
            }
            store.set(key, arguments[first], end: now + (Int64(words[first + 1]) ?? 0))
            count += 1
        }
        return .integer(count)
    }

    private mutating func takeToken(_ key: String, _ words: [String], at now: Int64) -> RESPValue {
        guard let interval = Double(words[0]), let burst = Double(words[1]), let maxWait = Double(words[2]) else {
            return wrong
        }
        let now = Double(now) * 1000
        let kept = store.get(key, at: .min).flatMap { Double(String(decoding: $0, as: UTF8.self)) } ?? 0
        let full = max(kept, now)
        let wait = max(0, full - interval * (burst - 1) - now)
        if wait > maxWait { return .integer(-Int64(wait)) }
        store.set(key, Array(String(full + interval).utf8), end: nil)
        return .integer(Int64(wait))
    }

    private func generations(_ key: String, at now: Int64) -> SharedGenerations? {
        store.get(key, at: now).flatMap { SharedGenerations($0) }
    }

    private mutating func keep(_ key: String, _ generations: String, at now: Int64) {
        store.set(key, Array(generations.utf8), end: now + Int64(SharedScript.generationLife))
    }

    private static func markedAt(_ value: [UInt8]) -> Int64? {
        guard let mark = value.first, "sx".utf8.contains(mark) else { return nil }
        return Int64(String(decoding: value.dropFirst().prefix { $0 != UInt8(ascii: "{") }, as: UTF8.self))
    }

    private static func fetchedAt(_ value: [UInt8]) -> Int64? {
        let begin = Array(#"{"version":1,"fetchedAt":"#.utf8)
        guard value.starts(with: begin) else { return nil }
        return Int64(String(decoding: value.dropFirst(begin.count).prefix { $0 != 0x2C }, as: UTF8.self))
    }
}

extension RedisCommand {
    private static let scripts = [
        SharedScript.beginFetch: "beginFetch", SharedScript.renewGeneration: "renewGeneration",
        SharedScript.storeTombstones: "storeTombstones", SharedScript.markStale: "markStale",
        SharedScript.store: "store", SharedScript.takeLease: "takeLease", SharedScript.renewLease: "renewLease",
        SharedScript.endLease: "endLease", SharedScript.takeToken: "takeToken", SharedScript.tryRights: "tryRights",
    ]

    /// The name and the arguments of the command, as strings.
    var words: [String] { arguments.map { String(decoding: $0, as: UTF8.self) } }

    /// The name of the command, or of its script.
    var verb: String { Self.scripts[words.count > 1 ? words[1] : ""] ?? words[0] }
}
