import JSON
import System

/// An entry as the shared level has it: a line of JSON that says when it came and under which marks, with a tag over
/// all of it; and behind that line the entry itself.
enum SharedValue {
    /// How many bytes a value has at most; what has more is not shared.
    static let largest = 1 << 20
    /// The version of the format.
    static let version = 1
    /// A moment may be ahead of this machine's clock by so many milliseconds.
    static let mostAhead: Int64 = 60_000

    /// What stands before an entry that is stale by itself. It is under no tag: who could take it away could put back
    /// the entry as it was, too.
    static let staleMark = "s"

    private static let newline = UInt8(ascii: "\n")
    private static let tagBegin = Array(#","tag":""#.utf8)
    private static let tagEnd = Array(#""}"#.utf8)

    /// Why a value is not believed.
    enum Fault: Error, Equatable {
        /// Its tag is wrong: it is not of somebody who has the secret, or stood under another key.
        case tampered
        /// It has another version.
        case version
        /// It is not what this program writes.
        case malformed
        /// It says that it came later than now.
        case future
    }

    /// An entry that is neither stale by a mark of its own nor absent, as long as these are the resource's marks.
    struct Decoded<Entity: Sendable>: Sendable {
        let entity: Entity
        /// The mark of the resource when it was fetched; with another one it is absent.
        let removed: String
        /// The mark of the resource when it was fetched; with another one it is stale.
        let invalidated: String
        /// When the remote was asked.
        let askedAt: Timestamp
        /// Whether it is stale by itself.
        var isStale = false
    }

    /// The value of an item.
    static func encode(_ item: ItemEntity, marks: SharedMarks, askedAt: Timestamp, name: SharedName, names: SharedNames)
        -> [UInt8]
    {
        value(item.json, item.fetchedAt, askedAt, item.validators, marks, name, names)
    }

    /// The value of a page.
    static func encode(_ page: PageEntity, marks: SharedMarks, askedAt: Timestamp, name: SharedName, names: SharedNames)
        -> [UInt8]
    {
        value(SharedPagePayload.encode(page), page.fetchedAt, askedAt, page.validators, marks, name, names)
    }

    /// The item that a value has.
    ///
    /// - Parameters:
    ///   - key: the item's own key, and not that of its resource in another scope.
    ///   - name: the name under which the value stood.
    static func decode(
        _ key: ItemKey, _ bytes: [UInt8], name: SharedName, names: SharedNames, now: Timestamp
    ) -> Result<Decoded<ItemEntity>, Fault> {
        decode(bytes, name, names, now) { payload, header in
            // A tag stands for the rest of it.
            guard payload.first == UInt8(ascii: "{"), payload.last == UInt8(ascii: "}") else { return nil }
            return ItemEntity(
                key: key, json: Array(payload), fetchedAt: header.fetchedAt, validators: header.validators)
        }
    }

    /// The page that a value has.
    static func decode(
        _ key: PageKey, _ bytes: [UInt8], name: SharedName, names: SharedNames, now: Timestamp
    ) -> Result<Decoded<PageEntity>, Fault> {
        decode(bytes, name, names, now) { payload, header in
            SharedPagePayload.decode(
                Array(payload), as: key, fetchedAt: header.fetchedAt, validators: header.validators)
        }
    }

    private static func value(
        _ payload: [UInt8], _ fetchedAt: Timestamp, _ askedAt: Timestamp, _ validators: Validators?,
        _ marks: SharedMarks, _ name: SharedName, _ names: SharedNames
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: payload.count + 512)
        writer.beginObject()
        writer.key("version")
        writer.integer(version)
        writer.key("fetchedAt")
        writer.integer(fetchedAt.milliseconds)
        writer.key("removed")
        writer.string(marks.removed)
        writer.key("invalidated")
        writer.string(marks.invalidated)
        writer.key("askedAt")
        writer.integer(min(askedAt, fetchedAt).milliseconds)
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

    /// Nothing of the value is believed, or parsed, before its tag is found right.
    private static func decode<Entity>(
        _ bytes: [UInt8], _ name: SharedName, _ names: SharedNames, _ now: Timestamp,
        _ read: (ArraySlice<UInt8>, Header) -> Entity?
    ) -> Result<Decoded<Entity>, Fault> {
        let isStale = bytes.starts(with: staleMark.utf8)
        let bytes = isStale ? bytes.dropFirst(staleMark.utf8.count) : bytes[...]
        guard bytes.count <= largest, let end = bytes.firstIndex(of: newline) else { return .failure(.malformed) }
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
            if header.fetchedAt.milliseconds > now.milliseconds + mostAhead { return .failure(.future) }
            guard let entity = read(payload, header) else { return .failure(.malformed) }
            return .success(
                Decoded(
                    entity: entity, removed: header.removed, invalidated: header.invalidated,
                    askedAt: header.askedAt, isStale: isStale))
        }
    }
}

extension SharedValue {
    /// What the first line says.
    fileprivate struct Header {
        let fetchedAt: Timestamp
        let askedAt: Timestamp
        let removed: String
        let invalidated: String
        let validators: Validators?

        /// - Parameter text: the line without its tag and what stands behind that.
        static func read(_ text: ArraySlice<UInt8>) -> Result<Header, Fault> {
            guard let document = try? JSONDocument(Array(text) + [UInt8(ascii: "}")]) else {
                return .failure(.malformed)
            }
            return document.withRoot { root -> Result<Header, Fault> in
                guard let found = root["version"]?.integer else { return .failure(.malformed) }
                guard found == SharedValue.version else { return .failure(.version) }
                guard let fetchedAt = root["fetchedAt"]?.integer, fetchedAt >= 0,
                    let removed = root["removed"]?.string, let invalidated = root["invalidated"]?.string,
                    let askedAt = root["askedAt"]?.integer
                else { return .failure(.malformed) }
                return .success(
                    Header(
                        fetchedAt: Timestamp(milliseconds: Int64(fetchedAt)),
                        askedAt: Timestamp(milliseconds: Int64(askedAt)), removed: removed, invalidated: invalidated,
                        validators: Validators(
                            etag: root["etag"]?.string, lastModified: root["lastModified"]?.string)))
            }
        }
    }
}
