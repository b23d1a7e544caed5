import DataSources
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A new folder for one test; it goes with everything in it when the test lets it go.
final class ScratchFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/larder-test.XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        for name in (try? Files.list(FilePath(path))) ?? [] {
            if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
        }
        rmdir(path)
    }
}
