#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file operation that failed: what was tried, the path, and the system's reason.
public struct FileError: Error, Equatable, Sendable {
    /// `cannot read /a/b: No such file or directory`.
    public let message: String

    /// An error from the system's code for it, an `errno`.
    public init(_ attempt: String, _ path: String, code: Int32) {
        message = "cannot \(attempt) \(path): \(String(cString: strerror(code)))"
    }
}

/// Whole files and folders. All calls block.
public enum Files {
    /// The contents of a file.
    public static func read(_ path: String) throws(FileError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileError("read", path, code: errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var info = stat()
        if fstat(file, &info) == 0, info.st_size > 0 { bytes.reserveCapacity(Int(info.st_size)) }
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = readChunk(file, &chunk)
            if count == 0 { return bytes }
            if count > 0 { bytes.append(contentsOf: chunk[..<count]) }
            if count < 0, errno != EINTR { throw FileError("read", path, code: errno) }
        }
    }

    /// Puts a file in place as a whole: a reader sees the old contents or the new, never a part.
    ///
    /// The bytes go to a file beside it, which is then renamed. They are not forced to the disk.
    ///
    /// - Parameter mode: the permissions of the new file, not narrowed by the process's mask.
    public static func writeAtomically(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600
    ) throws(FileError) {
        var template = Array((path + ".XXXXXX").utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw FileError("write", path, code: errno) }
        var failure = writeAll(bytes, to: file)
        if failure == 0, fchmod(file, mode_t(mode)) != 0 { failure = errno }
        if close(file) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(template, path) != 0 { failure = errno }
        if failure != 0 {
            unlink(template)
            throw FileError("write", path, code: failure)
        }
    }

    /// Makes a folder and those it lies in; nothing where it is there already.
    ///
    /// - Parameter mode: the permissions of each new folder.
    public static func createDirectory(_ path: String, mode: UInt32 = 0o700) throws(FileError) {
        if mkdir(path, mode_t(mode)) == 0 { return }
        let failure = errno
        if failure == EEXIST, isDirectory(path) { return }
        guard failure == ENOENT, let parent = parent(of: path) else {
            throw FileError("create the folder", path, code: failure)
        }
        try createDirectory(parent, mode: mode)
        // Another process may have made it in the meantime.
        if mkdir(path, mode_t(mode)) == 0 { return }
        let second = errno
        guard second == EEXIST, isDirectory(path) else { throw FileError("create the folder", path, code: second) }
    }

    /// The names in a folder, sorted, without `.` and `..`.
    public static func list(_ directory: String) throws(FileError) -> [String] {
        guard let folder = opendir(directory) else { throw FileError("read the folder", directory, code: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Whether there is something at a path.
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func isDirectory(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    private static func parent(of path: String) -> String? {
        var bytes = path.utf8[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash > bytes.startIndex else { return nil }
        return String(bytes[..<slash])
    }

    /// Writes all bytes; 0 or the `errno`.
    private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = write(file, buffer.baseAddress.map { $0 + done }, buffer.count - done)
                if count < 0, errno != EINTR { return errno }
                if count > 0 { done += count }
            }
            return 0
        }
    }
}

// Inside `Files`, `read` is its own function.
private func readChunk(_ file: Int32, _ chunk: inout [UInt8]) -> Int {
    chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
}
