import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

@Suite(.limited) struct SharedNamesTests {
    private static let names = SharedNames(secret: Array("a secret of the team".utf8), namespace: "ci")

    /// Returns the resource of one machine. Each machine has its own key for fingerprints.
    private static func machine(_ number: UInt64, name: String = "issue", identity: String = "plainly said")
        -> SharedResource
    {
        let key = ResourceKey(name: name, fingerprint: .init(high: number, low: number))
        return SharedResource(key: key, identity: Array(identity.utf8))
    }

    private static func item(
        _ id: String = "17", _ scope: String = "", isPartial: Bool = false,
        of resource: SharedResource = Self.machine(1)
    ) -> SharedName {
        names.entry(.item(ItemKey(resource: scoped(resource, scope), id: id, isPartial: isPartial)), of: resource)
    }

    private static func page(
        _ request: String = #"{"page":1}"#, _ scope: String = "", of resource: SharedResource = Self.machine(1)
    ) -> SharedName {
        names.entry(.page(PageKey(resource: scoped(resource, scope), request: request)), of: resource)
    }

    private static func scoped(_ resource: SharedResource, _ scope: String) -> ResourceKey {
        ResourceKey(name: resource.key.name + scope, fingerprint: resource.key.fingerprint)
    }

    @Test func entriesWithDifferentIdentitiesHaveDifferentRedisKeys() {
        let other = Self.machine(1, identity: "said otherwise")
        let all = [
            Self.item(), Self.item("18"), Self.item("017"), Self.item("17", #"{"repo":"a"}"#),
            Self.item("17", #"{"repo":"b"}"#), Self.item(isPartial: true), Self.item(of: other), Self.page(),
            Self.page(#"{"page":2}"#), Self.page(#"{"page":1}"#, #"{"repo":"a"}"#), Self.page(of: other),
            // These ids look alike but have different bytes.
            Self.item("\u{E9}"), Self.item("e\u{301}"),
            // An id that imitates the encoding of further name parts must not get the name of another entry.
            Self.item(#"17",false"#), Self.page("17"),
        ]
        #expect(Set(all.map(\.hash)).count == all.count)
        let generations = [Self.machine(1), other].map { Self.names.generations(of: $0) }
        #expect(Set(all.map(\.key) + generations).count == all.count + 2)
    }

    @Test func twoMachinesComputeEqualNames() {
        for number: UInt64 in 2...5 {
            #expect(Self.item("17", #"{"a":1}"#, of: Self.machine(number)) == Self.item("17", #"{"a":1}"#))
            #expect(Self.page(of: Self.machine(number)) == Self.page())
            #expect(Self.names.generations(of: Self.machine(number)) == Self.names.generations(of: Self.machine(1)))
        }
        let same = SharedNames(secret: Array("a secret of the team".utf8), namespace: "ci")
        #expect(same.bucket([1]) == Self.names.bucket([1]))
    }

    @Test(arguments: [("another secret", "ci"), ("a secret of the team", "cd")])
    func secretAndNamespaceChangeTheRedisKeys(secret: String, namespace: String) {
        let other = SharedNames(secret: Array(secret.utf8), namespace: namespace)
        let resource = Self.machine(1)
        let key = EntryKey.item(ItemKey(resource: resource.key, id: "17"))
        let (left, right) = (Self.names.entry(key, of: resource), other.entry(key, of: resource))
        #expect(left.key != right.key)
        #expect(Self.names.lease(of: left) != other.lease(of: right))
        #expect(Self.names.generations(of: resource) != other.generations(of: resource))
        #expect(Self.names.bucket([1]) != other.bucket([1]))
    }

    @Test func redisKeysHaveTheDocumentedFormat() {
        let item = Self.item("the-id-17", #"{"repo":"the-repo"}"#)
        let keys = [
            "i": item.key, "p": Self.page().key, "l": Self.names.lease(of: item),
            "g": Self.names.generations(of: Self.machine(1)), "b": Self.names.bucket(Array("plainly said".utf8)),
        ]
        for (kind, key) in keys {
            let parts = key.split(separator: ":").map(String.init)
            #expect(parts.prefix(4) == ["larder", "1", "ci", kind])
            let hash = parts.last ?? ""
            #expect(parts.count == 5 && hash.count == 66 && hash.first == "{" && hash.last == "}")
            for part in ["the-id", "the-repo", "issue", "plainly"] { #expect(!key.contains(part)) }
        }
        #expect(item.key.hasSuffix("{\(SHA256.hex(item.hash))}"))
        #expect(Self.names.lease(of: item).hasSuffix("{\(SHA256.hex(item.hash))}"))
    }

    /// With a plain hash of an identity, a reader of the server could verify guesses of a password.
    @Test func sharedNamesAreNotPlainHashesOfTheIdentity() {
        let identity = Array("plainly said".utf8)
        for plain in [SHA256.hexHash(identity), SHA256.hexHash(Array(SHA256.hexHash(identity).utf8))] {
            #expect(!Self.names.generations(of: Self.machine(1)).contains(plain))
            #expect(!Self.names.bucket(identity).contains(plain))
        }
    }

    @Test func everyByteOfAnAuthenticationTagIsCompared() {
        func tag(_ payload: String) -> [UInt8] {
            Self.names.tag(ofValue: Self.item(), header: Array("{".utf8)[...], payload: Array(payload.utf8)[...])
        }
        let tag = tag("one")
        #expect(tag.count == SharedNames.tagSize)
        #expect(tag != Self.names.tag(ofValue: Self.item(), header: [UInt8]()[...], payload: [UInt8]()[...]))
        for index in tag.indices {
            var other = tag
            other[index] ^= 1
            #expect(!SharedNames.isSame(other, tag))
        }
        for count in 0..<tag.count { #expect(!SharedNames.isSame(tag.prefix(count), tag)) }
        #expect(!SharedNames.isSame([UInt8](), [UInt8]()))
    }
}
