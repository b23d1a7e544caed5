import System
import TestSupport
import Testing

/// Tests with files of other owners need a second user: they are in `Tests/Hostile/Files/test_folders.py`.
@Suite(.limited) struct FileTrustTests {
    private let folder: TemporaryDirectory
    private var file: FilePath { folder.file("larder/file") }

    init() throws {
        folder = try TemporaryDirectory()
        try Files.createDirectory(folder.file("larder"))
        try Files.writeAtomically([], to: folder.file("larder/file"))
    }

    private func set(_ mode: mode_t, of name: String) { #expect(chmod(folder.file(name), mode) == 0) }

    @Test(arguments: [FileTrust.named, .found, .foundDatabase])
    func fileOfThisUserOrGroupIsTrusted(trust: FileTrust) {
        #expect(trust.refusal(of: file) == nil)
        set(0o664, of: "larder/file")
        set(0o775, of: "larder")
        #expect(trust.refusal(of: file) == nil)
        #expect(trust.refusal(of: folder.file("larder/none")) == nil)
        #expect(trust.refusal(of: folder.file("none/none")) == nil)
    }

    @Test(arguments: [FileTrust.named, .found, .foundDatabase])
    func worldWritableFileIsRefused(trust: FileTrust) throws {
        set(0o602, of: "larder/file")
        #expect(trust.refusal(of: file)?.contains("every user may write to the file") == true)
        #expect(symlink("larder/file", folder.file("link")) == 0)
        #expect(trust.refusal(of: folder.file("link"))?.contains("every user may write to the file") == true)
    }

    @Test(
        arguments: [
            (FileTrust.named, 0o777, false), (.found, 0o777, true), (.foundDatabase, 0o777, true),
            (.named, 0o1777, false),
            (.found, 0o1777, false), (.foundDatabase, 0o1777, true),
        ] as [(FileTrust, mode_t, Bool)])
    func trustDecidesWhetherAWorldWritableFolderIsRefused(trust: FileTrust, mode: mode_t, isRefused: Bool) throws {
        set(mode, of: "larder")
        let reason = trust.refusal(of: file)
        #expect((reason != nil) == isRefused)
        if isRefused {
            #expect(reason?.contains("every user may write to the folder \(folder.file("larder") as String)") == true)
        }
    }

    @Test func foldersAboveTheParentAreIgnored() {
        set(0o1777, of: "")
        #expect(FileTrust.foundDatabase.refusal(of: file) == nil)
    }
}
