import System

@testable import DataSources

/// Does what Larder asks a server for: each script of `SharedScript` as it is meant, told by its text.
struct RedisScripts {
    var store = RedisStore()

    mutating func run(_ command: RedisCommand, at now: Int64) -> RESPValue {
        let words = command.words
        switch words[0] {
        case "PING": return .text(Array("PONG".utf8))
        case "MGET": return .array(words.dropFirst().map { store.get($0, at: now).map { .text($0) } ?? .null })
        case "GET": return store.get(words[1], at: now).map { .text($0) } ?? .null
        case "XREVRANGE": return .array(store.entries(words[1]).suffix(1).map(\.reply))
        case "XRANGE": return .array(store.entries(words[1]).filter { $0.id == words[2] }.map(\.reply))
        case "XREAD":
            guard let place = Int(words[5].prefix { $0 != "-" }), let count = Int(words[2]) else { return wrong }
            let later = store.entries(words[4]).filter { $0.number > place }.prefix(count)
            return later.isEmpty ? .null : .map([.text(command.arguments[4]), .array(later.map(\.reply))])
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
        case SharedScript.readMarks:
            let marks = marks(keys[0], at: now)?.text ?? words[0]
            mark(keys[0], marks, at: now)
            return .text(Array(marks.utf8))
        case SharedScript.renewMarks:
            let old = words[0] == "stale" ? marks(keys[0], at: now) : nil
            mark(keys[0], "\(old?.removed ?? words[1]) \(words[2]) \(words[3])", at: now)
            store.append(keys[1], arguments[4], arguments[5])
            return .integer(1)
        case SharedScript.removeEntry:
            let wasThere = store.remove(keys[2], at: now)
            _ = store.remove(keys[3], at: now)
            if !wasThere, words[5] == "1" { return .integer(0) }
            renewLast(keys[0], words, at: now)
            store.append(keys[1], arguments[3], arguments[4])
            return .integer(wasThere ? 1 : 0)
        case SharedScript.markStale:
            if words[5] == "1" {
                _ = store.remove(keys[3], at: now)
                renewLast(keys[0], words, at: now)
            }
            let value = store.get(keys[2], at: now)
            if let value, value.first == UInt8(ascii: "{") {
                store.set(keys[2], Array(SharedValue.staleMark.utf8) + value, end: store.end(keys[2]))
            }
            store.append(keys[1], arguments[3], arguments[4])
            return .integer(value == nil ? 0 : 1)
        case SharedScript.store: return keep(keys, arguments, words, at: now)
        case SharedScript.beginChanges:
            store.append(keys[0], arguments[0], arguments[1])
            return .integer(1)
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
        case SharedScript.takePlace: return takePlace(keys[0], words, at: now)
        default: return wrong
        }
    }

    private mutating func keep(
        _ keys: [String], _ arguments: [[UInt8]], _ words: [String], at now: Int64
    ) -> RESPValue {
        guard store.get(keys[0], at: now) == arguments[0] else { return .integer(-1) }
        var (count, isChanged) = (0, false)
        for (index, key) in keys.dropFirst(2).enumerated() {
            let first = 3 + index * 3
            let old = store.get(key, at: now)
            if let old, let fetched = Self.fetchedAt(old), let new = Int64(words[first + 2]), fetched > new,
                fetched <= now + 60_000
            {
                continue
            }
            store.set(key, arguments[first], end: now + (Int64(words[first + 1]) ?? 0))
            count += 1
            if old.map(Self.payload) != Self.payload(arguments[first]) { isChanged = true }
        }
        if isChanged { store.append(keys[1], arguments[1], arguments[2]) }
        return .integer(Int64(count))
    }

    private mutating func takePlace(_ key: String, _ words: [String], at now: Int64) -> RESPValue {
        guard let interval = Double(words[0]), let burst = Double(words[1]), let longest = Double(words[2]) else {
            return wrong
        }
        let now = Double(now) * 1000
        let kept = store.get(key, at: .min).flatMap { Double(String(decoding: $0, as: UTF8.self)) } ?? 0
        let full = max(kept, now)
        let wait = max(0, full - interval * (burst - 1) - now)
        if wait > longest { return .integer(-Int64(wait)) }
        store.set(key, Array(String(full + interval).utf8), end: nil)
        return .integer(Int64(wait))
    }

    private mutating func renewLast(_ key: String, _ new: [String], at now: Int64) {
        let old = marks(key, at: now)
        mark(key, "\(old?.removed ?? new[0]) \(old?.invalidated ?? new[1]) \(new[2])", at: now)
    }

    private func marks(_ key: String, at now: Int64) -> SharedMarks? {
        store.get(key, at: now).flatMap { SharedMarks($0) }
    }

    private mutating func mark(_ key: String, _ marks: String, at now: Int64) {
        store.set(key, Array(marks.utf8), end: now + Int64(SharedScript.markLife))
    }

    private static func fetchedAt(_ value: [UInt8]) -> Int64? {
        let begin = Array(#"{"version":1,"fetchedAt":"#.utf8)
        guard value.starts(with: begin) else { return nil }
        return Int64(String(decoding: value.dropFirst(begin.count).prefix { $0 != 0x2C }, as: UTF8.self))
    }

    private static func payload(_ value: [UInt8]) -> [UInt8] { Array(value.drop { $0 != 0x0A }.dropFirst()) }
}

extension RedisCommand {
    private static let scripts = [
        SharedScript.readMarks: "readMarks", SharedScript.renewMarks: "renewMarks",
        SharedScript.removeEntry: "removeEntry", SharedScript.markStale: "markStale", SharedScript.store: "store",
        SharedScript.beginChanges: "beginChanges", SharedScript.takeLease: "takeLease",
        SharedScript.renewLease: "renewLease", SharedScript.endLease: "endLease",
        SharedScript.takePlace: "takePlace", SharedScript.tryRights: "tryRights",
    ]

    /// Its name and arguments as texts.
    var words: [String] { arguments.map { String(decoding: $0, as: UTF8.self) } }

    /// What it does: its name, or that of its script.
    var verb: String { Self.scripts[words.count > 1 ? words[1] : ""] ?? words[0] }
}
