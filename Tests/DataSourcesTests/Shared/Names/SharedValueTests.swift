import JSON
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

@Suite(.limited) struct SharedValueTests {
    private static let names = SharedNames(secret: Array("a secret of the team".utf8), namespace: "ci")
    private static let generations = SharedGenerations(removed: "00000000000000aa", invalidated: "00000000000000bb")
    private static let resource = SharedResource(key: LocalEntries.character, identity: Array("character".utf8))
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    private static func name(_ key: EntryKey) -> SharedName { names.entry(key, of: resource) }

    private static let item = ItemEntity(
        key: LocalEntries.key("1"), json: Array(#"{"id":1,"name":"Rick\nS\u00e1nchez","tag":"{}"}"#.utf8),
        fetchedAt: Timestamp(milliseconds: 1_700_000_000_123),
        validators: Validators(etag: #"W/"a\b""#, lastModified: "Mon, 01 Jan 2024 00:00:00 GMT"))

    private static func encoded(_ item: ItemEntity = Self.item) -> [UInt8] {
        SharedValue.encode(item, generations: generations, name: name(.item(item.key)), names: names)
    }

    private static func decoded(
        _ bytes: [UInt8], as key: ItemKey = Self.item.key, under name: SharedName? = nil,
        names: SharedNames = Self.names
    ) -> Result<SharedValue.Decoded<ItemEntity>, SharedValue.Fault> {
        SharedValue.decode(key, bytes, name: name ?? self.name(.item(key)), names: names, now: now)
    }

    private static func fault<Value>(_ result: Result<Value, SharedValue.Fault>) -> SharedValue.Fault? {
        if case .failure(let fault) = result { fault } else { nil }
    }

    /// Returns a value with a valid tag for any first line.
    private static func tagged(_ header: String, _ payload: String = #"{"id":1}"#, of key: EntryKey) -> [UInt8] {
        let (header, payload) = (Array(header.utf8), Array(payload.utf8))
        let tag = names.tag(ofValue: name(key), header: header[...], payload: payload[...])
        return header + Array(#","tag":""#.utf8) + tag + Array("\"}\n".utf8) + payload
    }

    @Test func sharedItemSurvivesEncodingAndDecoding() throws {
        let bare = ItemEntity(key: LocalEntries.key("a b"), json: Array("{}".utf8), fetchedAt: Self.now)
        for item in [Self.item, bare] {
            let back = try Self.decoded(Self.encoded(item), as: item.key).get()
            #expect(back.entity == item)
            #expect(back.generations == Self.generations)
        }
    }

    /// The invalidation of an item on this machine is not shared.
    @Test func localInvalidationIsNotEncoded() throws {
        var item = Self.item
        item.isInvalidated = true
        #expect(try Self.decoded(Self.encoded(item)).get().entity == Self.item)
    }

    /// Scripts on the server cannot compute authentication tags, so invalidation marks have none.
    @Test func invalidationMarkPrecedesTheValue() throws {
        #expect(try !Self.decoded(Self.encoded()).get().isStale)
        for mark in ["s", "s1700000000000000", "s1s2"] {
            let marked = try Self.decoded(Array(mark.utf8) + Self.encoded()).get()
            #expect(marked.isStale && marked.entity == Self.item)
        }
        #expect(Self.fault(Self.decoded(Array("5".utf8) + Self.encoded())) == .tampered)
        #expect(Self.fault(Self.decoded(Array("s1{".utf8) + Self.encoded())) == .tampered)
    }

    @Test func sharedTombstonesAreRecognized() {
        #expect(SharedValue.isTombstone(Array("x1700000000000000".utf8)))
        for text in ["", "s17", "{}", "17x"] { #expect(!SharedValue.isTombstone(Array(text.utf8))) }
        #expect(!SharedValue.isTombstone(Self.encoded()))
    }

    @Test func formatOfSharedValuesMatchesTheDocumentation() throws {
        let text = String(decoding: Self.encoded(), as: UTF8.self)
        let lines = text.split(separator: "\n", maxSplits: 1)
        let header = try JSONValue(parsing: String(lines[0]))
        guard case .object(let object) = header else {
            Issue.record("no object")
            return
        }
        #expect(
            object.members.map(\.key)
                == ["version", "fetchedAt", "removed", "invalidated", "etag", "lastModified", "tag"])
        #expect(header["version"] == 1 && header["fetchedAt"] == .number("1700000000123"))
        #expect(header["etag"] == .string(#"W/"a\b""#))
        #expect(Array(lines[1].utf8) == Self.item.json)
    }

    private static let pages: [PageEntity] = [
        LocalEntries.page(1, ["1", "a\"b", "\u{E9}"], isPartial: true),
        LocalEntries.page(2, []),
        PageEntity(
            key: LocalEntries.pageKey(3), ids: ["9"], info: Array(#"{"current":3,"next":"x"}"#.utf8), fetchedAt: now,
            count: 826, pages: 42, next: .opaque("x"), validators: Validators(etag: "\"p\"", lastModified: nil)),
        PageEntity(
            key: LocalEntries.pageKey(4), ids: ["9"],
            info: Array("{\"current\":4}\n[{\"index\":1,\"path\":\"a\",\"message\":\"b\"}]".utf8), fetchedAt: now,
            count: 0, pages: 0, next: .number(-5)),
        PageEntity(
            key: LocalEntries.pageKey(5), ids: [], info: Array("{}".utf8), fetchedAt: now, next: PageToken.unknown),
    ]

    @Test(arguments: pages)
    func sharedPageSurvivesEncodingAndDecoding(page: PageEntity) throws {
        let name = Self.name(.page(page.key))
        let bytes = SharedValue.encode(
            page, generations: Self.generations, name: name, names: Self.names)
        let back = try SharedValue.decode(page.key, bytes, name: name, names: Self.names, now: Self.now).get()
        #expect(back.entity == page)
        #expect(back.generations == Self.generations)
    }

    @Test func valueWithAnyChangedByteIsRejected() {
        let bytes = Self.encoded()
        for index in bytes.indices {
            for bit: UInt8 in [0x01, 0x20, 0x80] {
                var other = bytes
                other[index] ^= bit
                let fault = Self.fault(Self.decoded(other))
                #expect(fault == .tampered || fault == .malformed, "byte \(index)")
            }
        }
    }

    @Test func truncatedValueIsRejected() {
        let bytes = Self.encoded()
        for count in 0..<bytes.count {
            #expect(Self.fault(Self.decoded(Array(bytes.prefix(count)))) != nil, "cut after \(count)")
            #expect(Self.fault(Self.decoded(Array(bytes.suffix(count)))) != nil, "the last \(count)")
        }
        #expect(Self.fault(Self.decoded(bytes + [UInt8(ascii: "}")])) == .tampered)
    }

    /// A value that was copied to another key is rejected.
    @Test func sharedValueIsValidOnlyUnderItsOwnKey() {
        let bytes = Self.encoded()
        let scoped = ResourceKey(name: #"character{"a":1}"#, fingerprint: LocalEntries.character.fingerprint)
        for key in [LocalEntries.key("2"), LocalEntries.key("1", isPartial: true), ItemKey(resource: scoped, id: "1")] {
            #expect(Self.fault(Self.decoded(bytes, as: key)) == .tampered)
        }
        let page = LocalEntries.pageKey(1)
        let asPage = SharedValue.decode(
            page, bytes, name: Self.name(.page(page)), names: Self.names, now: Self.now)
        #expect(Self.fault(asPage) == .tampered)
        let resource = SharedResource(key: LocalEntries.character, identity: Array("another".utf8))
        let other = Self.names.entry(.item(Self.item.key), of: resource)
        #expect(Self.fault(Self.decoded(bytes, under: other)) == .tampered)
    }

    @Test(arguments: [("another secret of 16", "ci"), ("a secret of the team", "cd")])
    func sharedValueIsValidOnlyForItsSecretAndNamespace(secret: String, namespace: String) {
        let names = SharedNames(secret: Array(secret.utf8), namespace: namespace)
        let name = names.entry(.item(Self.item.key), of: Self.resource)
        #expect(Self.fault(Self.decoded(Self.encoded(), under: name, names: names)) == .tampered)
        // A value that was copied from another namespace has a different name.
        #expect(Self.fault(Self.decoded(Self.encoded(), under: name)) == .tampered)
    }

    @Test(
        arguments: [
            (#"{"version":1,"fetchedAt":1,"removed":"a","invalidated":"b""#, nil),
            (#"{"version":2,"fetchedAt":1,"removed":"a","invalidated":"b""#, .version),
            (#"{"version":0"#, .version), (#"{"fetchedAt":1,"removed":"a","invalidated":"b""#, .malformed),
            (#"{"version":"1","fetchedAt":1,"removed":"a","invalidated":"b""#, .malformed),
            (#"{"version":1,"fetchedAt":"1","removed":"a","invalidated":"b""#, .malformed),
            (#"{"version":1,"fetchedAt":-1,"removed":"a","invalidated":"b""#, .malformed),
            (#"{"version":1,"fetchedAt":1,"invalidated":"b""#, .malformed),
            (#"{"version":1,"fetchedAt":1,"removed":"a""#, .malformed), (#"{"version":1,"#, .malformed),
            (#"{"version":1,"fetchedAt":1800000060000,"removed":"a","invalidated":"b""#, nil),
            (#"{"version":1,"fetchedAt":1800000060001,"removed":"a","invalidated":"b""#, .future),
            (#"{"version":1,"fetchedAt":9223372036854775807,"removed":"a","invalidated":"b""#, .future),
        ] as [(String, SharedValue.Fault?)])
    func headerOfASharedValueIsValidated(header: String, fault: SharedValue.Fault?) {
        #expect(Self.fault(Self.decoded(Self.tagged(header, of: .item(Self.item.key)))) == fault)
    }

    private static let header = #"{"version":1,"fetchedAt":1,"removed":"a","invalidated":"b""#

    @Test(arguments: ["", "1", "[]", "{", "}", #""a""#])
    func itemMustBeAnObject(payload: String) {
        #expect(Self.fault(Self.decoded(Self.tagged(Self.header, payload, of: .item(Self.item.key)))) == .malformed)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"ids":[1],"partial":false,"info":{}}"#, #"{"ids":[],"info":{}}"#,
        #"{"ids":[],"partial":false}"#, #"{"ids":[],"partial":false,"info":1}"#, #"{"partial":false,"info":{}}"#,
        #"{"ids":[],"partial":false,"next":{},"info":{}}"#, #"{"ids":[],"partial":false,"info":{}"#,
    ])
    func invalidPageIsRejected(payload: String) {
        let key = LocalEntries.pageKey(1)
        let bytes = Self.tagged(Self.header, payload, of: .page(key))
        let result = SharedValue.decode(key, bytes, name: Self.name(.page(key)), names: Self.names, now: Self.now)
        #expect(Self.fault(result) == .malformed)
    }

    @Test func valueOverTheSizeLimitIsRejected() {
        for (more, fault) in [(0, nil), (1, .malformed)] as [(Int, SharedValue.Fault?)] {
            let frame = Self.encoded(ItemEntity(key: Self.item.key, json: [], fetchedAt: Self.now)).count
            let text = String(repeating: "x", count: SharedValue.maxSize - frame - 8 + more)
            let json = Array(#"{"a":"\#(text)"}"#.utf8)
            let bytes = Self.encoded(ItemEntity(key: Self.item.key, json: json, fetchedAt: Self.now))
            #expect(bytes.count == SharedValue.maxSize + more)
            #expect(Self.fault(Self.decoded(bytes)) == fault)
        }
    }
}
