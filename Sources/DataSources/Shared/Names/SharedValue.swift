import JSON
import Model
import System

/// The format of a value in the shared level. The first line is JSON with the fetch time, the generations, the
/// validators and a tag. The tag is an HMAC of the whole value. The JSON of the entry follows the first line.
///
/// When an entry is invalidated or removed, a script in the server changes the value. It puts a mark before the value,
/// or replaces the value with a mark:
/// * `x` and a time: a tombstone. The entry was removed, and fetches that began before that time do not store it.
/// * `s` and a time, then the value: the entry was invalidated and is stale. Fetches that began before that time do not
///   store it.
///
/// Times are microseconds since 1970 by the server's clock. Marks have no tag.
// A tag would not protect a mark: a process that can remove a mark could also restore an older value.
enum SharedValue {
    /// The maximum size of a value, in bytes. Larger entries are not shared.
    static let maxSize = 1 << 20
    /// The version of the value format.
    static let version = 1
    /// The tolerated clock difference between machines, in milliseconds. A value is rejected if its fetch time is
    /// further in the future.
    static let maxAhead: Int64 = 60_000
    /// The mark before the value of an invalidated entry.
    static let staleMark = "s"
    /// The mark that replaces the value of a removed entry.
    static let tombstoneMark = "x"

    private static let newline = UInt8(ascii: "\n")
    private static let tagBegin = Array(#","tag":""#.utf8)
    private static let tagEnd = Array(#""}"#.utf8)

    /// The reason why a value is rejected.
    enum Fault: Error, Equatable {
        /// The tag of the value is wrong. The process that wrote the value lacks the secret, or the value was copied
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
        /// The generations of the resource when the fetch began.
        let generations: SharedGenerations
        /// Whether the value has the mark of an invalidated entry.
        var isStale = false
    }

    /// Returns whether a value is a tombstone: the mark of a removed entry.
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
    ///   - name: the name under which the value was found.
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

    /// Decodes a value after checking its tag.
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
    /// The first line of a value: the fetch time, the generations, the validators and the tag.
    fileprivate struct Header {
        let fetchedAt: Timestamp
        let generations: SharedGenerations
        let validators: Validators?

        /// Reads the first line of a value.
        ///
        /// - Parameter text: the line up to its tag.
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
