import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

@Suite(.limited) struct KeyFileTests {
    private let folder: TemporaryDirectory
    private var cache: FilePath { folder.file("a/b/cache.sqlite") }

    init() throws { folder = try TemporaryDirectory() }

    private func load(_ trust: FileTrust = .foundDatabase) -> (key: FingerprintKey, fault: String?) {
        KeyFile.key(besides: cache, trust: trust)
    }

    @Test func newKeyIsReadableByItsOwnerOnly() throws {
        let first = load()
        #expect(first.fault == nil)
        #expect(try folder.read("a/b/cache.key") == first.key.bytes)
        #expect(first.key.bytes.count == 32)
        #expect(folder.mode(of: "a/b/cache.key") == 0o600)
        #expect(folder.mode(of: "a") == 0o700 && folder.mode(of: "a/b") == 0o700)
        #expect(load() == first)
        #expect(try Files.list(folder.file("a/b")) == ["cache.key"])
    }

    @Test func simultaneouslyStartedProcessesGetTheSameKey() async {
        for round in 0..<10 {
            let cache: FilePath = folder.file("many\(round)/cache.sqlite")
            if round % 2 == 1 { _ = KeyFile.key(besides: cache, trust: .named) }
            if round % 2 == 1 { try? folder.write([1], to: "many\(round)/cache.key") }
            let keys = await withTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<8 { group.addTask { KeyFile.key(besides: cache, trust: .named).key.bytes } }
                return await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            #expect(keys.count == 1)
        }
    }

    @Test(arguments: [[], [1, 2, 3], [UInt8](repeating: 0, count: 32), [UInt8](repeating: 7, count: 33)])
    func damagedKeyIsReplacedAndReported(bytes: [UInt8]) throws {
        let first = load().key
        try folder.write(bytes, to: "a/b/cache.key")
        let second = load()
        #expect(second.key != first)
        #expect(second.fault?.contains("cache.key") == true && second.fault?.contains("fetches all data") == true)
        #expect(load() == (second.key, nil))
        #expect(folder.mode(of: "a/b/cache.key") == 0o600)
    }

    @Test func permissionsOfAReadableKeyAreRestricted() throws {
        let first = load().key
        #expect(chmod(folder.file("a/b/cache.key"), 0o644) == 0)
        #expect(load() == (first, nil))
        #expect(folder.mode(of: "a/b/cache.key") == 0o600)
    }

    @Test(arguments: [FileTrust.named, .foundDatabase])
    func worldWritableKeyIsReplaced(trust: FileTrust) throws {
        let first = load().key
        #expect(chmod(folder.file("a/b/cache.key"), 0o606) == 0)
        let second = load(trust)
        #expect(second.key != first && second.fault != nil)
        #expect(load(trust) == (second.key, nil))
        #expect(folder.mode(of: "a/b/cache.key") == 0o600)
    }

    /// A key file that is a symbolic link is replaced. Otherwise, the file to which the link leads would be
    /// overwritten.
    @Test func keyFileThatIsASymbolicLinkIsReplaced() throws {
        try folder.write(Array("precious".utf8), to: "precious")
        try Files.createDirectory(folder.file("a/b"))
        #expect(symlink("../../precious", folder.file("a/b/cache.key")) == 0)
        #expect(load().fault != nil)
        #expect(try folder.read("precious") == Array("precious".utf8))
        #expect(load().fault == nil)
    }

    @Test func keyFileThatIsAPipeIsReplacedWithoutWaiting() throws {
        try Files.createDirectory(folder.file("a/b"))
        #expect(mkfifo(folder.file("a/b/cache.key"), 0o600) == 0)
        #expect(load().fault != nil)
        #expect(load().fault == nil)
    }

    /// A deleted key file is written again, so that the next process finds the entries that this process stores.
    @Test func deletedKeyIsStoredAgain() async throws {
        let key = load().key
        let source = EntityDataSource(path: cache, limit: 1 << 20, clock: ClockMock(), onFault: { _ in }, key: key)
        folder.delete("a/b/cache.key")
        await source.flush()
        source.save(LocalChange(items: [LocalEntries.item("1")]))
        await source.close()
        #expect(load() == (key, nil))
        #expect(folder.mode(of: "a/b/cache.key") == 0o600)
    }

    @Test func keyThatCannotBeStoredIsReplacedOnTheNextCall() throws {
        try folder.write([], to: "a")
        #expect(load().key != load().key)
        #expect(folder.names == ["a"])
    }

    @Test func keyInAnUntrustedFolderIsIgnored() throws {
        let first = load().key
        #expect(chmod(folder.file("a/b"), 0o777) == 0)
        #expect(load().key != first && load().fault == nil)
        #expect(load(.named).key == first)
    }
}
