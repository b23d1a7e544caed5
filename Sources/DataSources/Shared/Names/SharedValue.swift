import JSON
import Model
import System

/// The format of a value in the shared level. The first line is JSON with the fetch time, the generations
/// (`SharedGenerations`), the validators and a tag. The tag is an HMAC of the whole value. The JSON of the entry
/// follows the first line.
///
/// When an entry is invalidated or removed, a script in the Redis server changes the value:
/// * Removal: a tombstone replaces the value. The tombstone consists of `x` and a time. Fetches that began before that
///   time do not store the entry.
/// * Invalidation: `s` and a time are inserted before the value, which is then stale. Fetches that began before that
///   time do not store the entry.
///
/// Times are microseconds since 1970 by the server's clock. The tag does not cover `x`, `s` and their times.
// A tag would not protect a mark: a process that can remove a mark could also restore an older value.
enum SharedValue {
    /// The maximum size of a value, in bytes. Larger entries are not shared.
    static let maxSize = 1 << 20
    /// The version of the format of values in the shared level.
    static let version = 1
    /// The maximum difference between the clocks of two machines, in milliseconds. A fetch time may be this far in the
    /// future; a value with a later fetch time is rejected.
    static let maxAhead: Int64 = 60_000
    /// The letter before the value of an invalidated entry. The time of the invalidation follows the letter.
    static let staleMark = "s"
    /// The letter that starts a tombstone. A tombstone replaces the value of a removed entry: it consists of this
    /// letter and the time of the removal.
    static let tombstoneMark = "x"

    private static let newline = UInt8(ascii: "\n")
    private static let tagBegin = Array(#","tag":""#.utf8)
    private static let tagEnd = Array(#""}"#.utf8)

    /// The reason why a value of the shared level is rejected.
    enum Fault: Error, Equatable {
        /// The tag of the value is wrong: the process that wrote the value lacks the secret, or the value was copied
        /// from another key.
        case tampered
        /// The format version of the value is not `SharedValue.version`.
        case version
        /// The value is not in the format of the shared level.
        case malformed
        /// The value's fetch time is more than `maxAhead` in the future.
        case future
    }

    /// A decoded value of the shared level.
    struct Decoded<Entity: Sendable>: Sendable {
        let entity: Entity
        /// The generations of the resource at the start of the fetch (see `SharedGenerations`).
        let generations: SharedGenerations
        /// Whether the entry was invalidated after the value was stored.
        var isStale = false
    }

    /// Returns whether a value is a tombstone, which replaces the value of a removed entry.
    static func isTombstone(_ bytes: [UInt8]) -> Bool { bytes.starts(with: tombstoneMark.utf8) }

    /// Encodes an item as a value of the shared level.
    static func encode(
        _ item: ItemEntity, generations: SharedGenerations, name: SharedName, names: SharedNames
    ) -> [UInt8] {
        value(item.json, item.fetchedAt, item.validators, generations, name, names)
    }

    /// Encodes a page as a value of the shared level.
    static func encode(
        _ page: PageEntity, generations: SharedGenerations, name: SharedName, names: SharedNames
    ) -> [UInt8] {
        value(SharedPagePayload.encode(page), page.fetchedAt, page.validators, generations, name, names)
    }

    /// Decodes an item from a value of the shared level.
    ///
    /// - Parameters:
    ///   - key: the key of the item, with its scope.
    ///   - name: the name of the entry in the shared level.
    static func decode(
        _ key: ItemKey, _ bytes: [UInt8], name: SharedName, names: SharedNames, now: Timestamp
    ) -> Result<Decoded<ItemEntity>, Fault> {
        decode(bytes, name, names, now) { payload, header in
            // The tag proves that the bytes between the braces are intact.
            guard payload.first == UInt8(ascii: "{"), payload.last == UInt8(ascii: "}") else { return nil }
            return ItemEntity(
                key: key, json: Array(payload), fetchedAt: header.fetchedAt, validators: header.validators)
        }
    }

    /// Decodes a page from a value of the shared level.
    static func decode(
        _ key: PageKey, _ bytes: [UInt8], name: SharedName, names: SharedNames, now: Timestamp
    ) -> Result<Decoded<PageEntity>, Fault> {
        decode(bytes, name, names, now) { payload, header in
            SharedPagePayload.decode(
                Array(payload), as: key, fetchedAt: header.fetchedAt, validators: header.validators)
        }
    }

    private static func value(
        _ payload: [UInt8], _ fetchedAt: Timestamp, _ validators: Validators?, _ generations: SharedGenerations,
        _ name: SharedName, _ names: SharedNames
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: payload.count + 512)
        writer.beginObject()
        writer.key("version")
        writer.integer(version)
        writer.key("fetchedAt")
        writer.integer(fetchedAt.milliseconds)
        writer.key("removed")
        writer.string(generations.removed)
        writer.key("invalidated")
        writer.string(generations.invalidated)
        if let etag = validators?.etag {
            writer.key("etag")
            writer.string(etag)
        }
        if let lastModified = validators?.lastModified {
            writer.key("lastModified")
            writer.string(lastModified)
        }
        let tag = names.tag(ofValue: name, header: writer.bytes[...], payload: payload[...])
        writer.append(tagBegin)
        writer.append(tag)
        writer.append(tagEnd)
        writer.append(CollectionOfOne(newline))
        writer.append(payload)
        return writer.bytes
    }

    /// Checks the tag of a value of the shared level, and decodes the value.
    private static func decode<Entity>(
        _ bytes: [UInt8], _ name: SharedName, _ names: SharedNames, _ now: Timestamp,
        _ read: (ArraySlice<UInt8>, Header) -> Entity?
    ) -> Result<Decoded<Entity>, Fault> {
        let isStale = bytes.starts(with: staleMark.utf8)
        let bytes = isStale ? bytes.drop { $0 != UInt8(ascii: "{") } : bytes[...]
        guard bytes.count <= maxSize, let end = bytes.firstIndex(of: newline) else { return .failure(.malformed) }
        let line = bytes[..<end]
        let payload = bytes[(end + 1)...]
        let rest = line.dropLast(tagEnd.count)
        let tag = rest.suffix(SharedNames.tagSize)
        let head = rest.dropLast(SharedNames.tagSize)
        guard line.suffix(tagEnd.count).elementsEqual(tagEnd), head.suffix(tagBegin.count).elementsEqual(tagBegin)
        else { return .failure(.malformed) }
        let header = head.dropLast(tagBegin.count)
        guard SharedNames.isSame(tag, names.tag(ofValue: name, header: header, payload: payload)) else {
            return .failure(.tampered)
        }
        return Header.read(header).flatMap { header in
            if header.fetchedAt.milliseconds > now.milliseconds + maxAhead { return .failure(.future) }
            guard let entity = read(payload, header) else { return .failure(.malformed) }
            return .success(Decoded(entity: entity, generations: header.generations, isStale: isStale))
        }
    }
}

extension SharedValue {
    /// The first line of a value in the shared level: the fetch time, the generations (`SharedGenerations`) and the
    /// validators.
    fileprivate struct Header {
        let fetchedAt: Timestamp
        let generations: SharedGenerations
        let validators: Validators?

        /// Parses the first line of a value in the shared level.
        ///
        /// - Parameter text: the line without the tag at its end.
        static func read(_ text: ArraySlice<UInt8>) -> Result<Header, Fault> {
            guard let document = try? JSONDocument(Array(text) + [UInt8(ascii: "}")]) else {
                return .failure(.malformed)
            }
            return document.withRoot { root -> Result<Header, Fault> in
                guard let found = root["version"]?.integer else { return .failure(.malformed) }
                guard found == SharedValue.version else { return .failure(.version) }
                guard let fetchedAt = root["fetchedAt"]?.integer, fetchedAt >= 0,
                    let removed = root["removed"]?.string, let invalidated = root["invalidated"]?.string
                else { return .failure(.malformed) }
                return .success(
                    Header(
                        fetchedAt: Timestamp(milliseconds: Int64(fetchedAt)),
                        generations: SharedGenerations(removed: removed, invalidated: invalidated),
                        validators: Validators(
                            etag: root["etag"]?.string, lastModified: root["lastModified"]?.string)))
            }
        }
    }
}
