/// Reads the stream of changes: what came after a place in it, and whether that place is still there.
struct ChangeStream: Sendable {
    /// One entry of the stream.
    struct Entry: Equatable {
        let id: String
        /// What it says; nil where it is nothing that this program would write, or has a wrong tag.
        let event: ChangeEvent?
    }

    /// What a look at the stream came to.
    enum Look: Equatable {
        /// These came since; there may be more.
        case entries([Entry])
        /// The place is gone: nobody can tell what came since. The last entry of now, where there is one.
        case broken(last: String?)
    }

    /// How many entries are read at once.
    static let batch = 1000
    /// The place before the first entry.
    static let begin = "0-0"

    let space: SharedSpace

    /// Looks for what came after a place; nil where the server does not say. Without a place nothing is known of what
    /// came.
    ///
    /// - Parameter count: how many entries are read at most.
    func look(after place: String?, atMost count: Int = batch) async -> Look? {
        let key = space.names.changes
        let lastOne = RedisCommand("XREVRANGE", key, "+", "-", "COUNT", "1")
        guard let place, Self.isPlace(place) else {
            guard let replies = await ask([lastOne]), let reply = replies.first else { return nil }
            return .broken(last: reply.streamEntries.last?.id)
        }
        let asked = [
            RedisCommand("XRANGE", key, place, place, "COUNT", "1"), lastOne,
            RedisCommand("XREAD", "COUNT", String(count), "STREAMS", key, place),
        ]
        guard let replies = await ask(asked), replies.count == 3 else { return nil }
        let last = replies[1].streamEntries.last?.id
        // Nobody knows what stood before the first entry that is there.
        if place == Self.begin { return last.map { .broken(last: $0) } ?? .entries([]) }
        guard !replies[0].streamEntries.isEmpty else { return .broken(last: last) }
        return .entries(replies[2].firstStream.map { Entry(id: $0.id, event: event($0.fields)) })
    }

    /// Begins the stream where there is none, so that there is a place from which to read on.
    func start() async {
        guard space.writes else { return }
        let event = space.event(.begun, [], fetchedAt: space.clock.now())
        _ = await ask([.eval(SharedScript.beginChanges, keys: [space.names.changes], event)])
    }

    /// Whether something may be the id of an entry: two numbers of 64 bits.
    static func isPlace(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { UInt64(String(decoding: $0, as: UTF8.self)) != nil }
    }

    private func ask(_ commands: [RedisCommand]) async -> [RESPValue]? {
        guard let replies = try? await space.server.send(commands),
            space.condition.note(replies, of: .following)
        else { return nil }
        return replies
    }

    private func event(_ fields: [String: [UInt8]]) -> ChangeEvent? {
        guard let text = fields["e"], let tag = fields["t"],
            SharedNames.isSame(tag, space.names.tag(ofChange: text))
        else { return nil }
        return ChangeEvent(text)
    }
}

extension RESPValue {
    /// The entries of one stream, as `XRANGE` gives them.
    fileprivate var streamEntries: [(id: String, fields: [String: [UInt8]])] {
        guard case .array(let entries) = self else { return [] }
        return entries.compactMap { entry in
            guard case .array(let parts) = entry, parts.count == 2, case .text(let bytes) = parts[0],
                case .array(let flat) = parts[1]
            else { return nil }
            let id = String(decoding: bytes, as: UTF8.self)
            guard ChangeStream.isPlace(id) else { return nil }
            var fields: [String: [UInt8]] = [:]
            for index in stride(from: 0, to: flat.count - 1, by: 2) {
                guard case .text(let name) = flat[index], case .text(let value) = flat[index + 1] else { continue }
                fields[String(decoding: name, as: UTF8.self)] = value
            }
            return (id, fields)
        }
    }

    /// The entries of the one stream that `XREAD` was asked for.
    fileprivate var firstStream: [(id: String, fields: [String: [UInt8]])] {
        guard case .map(let streams) = self, streams.count >= 2 else { return [] }
        return streams[1].streamEntries
    }
}
