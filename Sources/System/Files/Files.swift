/// The error of a file operation. It contains the operation, the path and the system's reason.
public struct FileError: Error, Equatable, Sendable {
    /// The message, such as `cannot read /a/b: No such file or directory`.
    public let message: String

    /// Creates the error for an `errno`.
    ///
    /// - Parameter attempt: the operation, which follows "cannot" in the message.
    public init(_ attempt: String, _ path: FilePath, code: Int32) {
        self.init(message: "cannot \(attempt) \(path): \(String(cString: strerror(code)))")
    }

    public init(message: String) { self.message = message }
}

/// Operations on whole files and folders. All of them block.
public enum Files {
    /// Returns the canonical path of a file, without symbolic links, `.` and `..`. If the file does not exist, returns
    /// the given path.
    package static func resolved(_ path: FilePath) -> FilePath {
        guard let resolved = realpath(path.cString, nil) else { return path }
        defer { free(resolved) }
        return FilePath(cString: resolved)
    }

    /// Returns the contents of a file.
    ///
    /// - Throws: `FileError` with the system's reason.
    public static func read(_ path: FilePath) throws(FileError) -> [UInt8] {
        let file = open(path.cString, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileError("read", path, code: errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var info = stat()
        if fstat(file, &info) == 0, info.st_size > 0 { bytes.reserveCapacity(Int(info.st_size)) }
        // The buffer is one byte larger than a small file, so that a single read reaches its end.
        var chunk = [UInt8](repeating: 0, count: max(min(Int(info.st_size), 65_535), 4095) + 1)
        while true {
            let count = readChunk(file, &chunk)
            if count == 0 { return bytes }
            if count > 0 { bytes.append(contentsOf: chunk[..<count]) }
            if count < 0, errno != EINTR { throw FileError("read", path, code: errno) }
        }
    }

    /// Replaces a file as a whole. A reader of the file sees either the complete old contents or the complete new
    /// contents. Only the owner gets permissions, and the umask can restrict them further.
    ///
    /// - Throws: `FileError` with the system's reason. The old file is then unchanged.
    // The bytes are written to a temporary file in the same folder, which is then renamed. They are not synced to the
    // disk.
    public static func writeAtomically(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
        var template = (path + ".XXXXXX").cString
        let file = mkstemp(&template)
        guard file >= 0 else { throw FileError("write", path, code: errno) }
        var failure = writeAll(bytes, to: file)
        if close(file) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(template, path.cString) != 0 { failure = errno }
        if failure != 0 {
            unlink(template)
            throw FileError("write", path, code: failure)
        }
    }

    /// Replaces the contents of an existing file as a whole. Keeps the permissions of the file and the symbolic links
    /// to the file. A reader of the file sees either the complete old contents or the complete new contents.
    ///
    /// - Throws: `FileError` with the system's reason. The old file is then unchanged.
    public static func replace(_ path: FilePath, with bytes: [UInt8]) throws(FileError) {
        let target = resolved(path)
        var info = stat()
        let isKnown = stat(target.cString, &info) == 0
        try writeAtomically(bytes, to: target)
        if isKnown { chmod(target.cString, info.st_mode & 0o777) }
    }

    /// Creates a folder and its parents, with permissions for the owner only. Does nothing if the folder exists.
    ///
    /// - Throws: `FileError` with the system's reason.
    public static func createDirectory(_ path: FilePath) throws(FileError) {
        if mkdir(path.cString, 0o700) == 0 { return }
        let failure = errno
        if failure == EEXIST, isDirectory(path) { return }
        guard failure == ENOENT, !path.parent.isEmpty else {
            throw FileError("create the folder", path, code: failure)
        }
        try createDirectory(path.parent)
        // Another process may have created the folder in the meantime.
        if mkdir(path.cString, 0o700) == 0 { return }
        let second = errno
        guard second == EEXIST, isDirectory(path) else { throw FileError("create the folder", path, code: second) }
    }

    /// Returns the names of the entries of a folder, sorted by bytes, without `.` and `..`.
    ///
    /// - Throws: `FileError` with the system's reason.
    public static func list(_ directory: FilePath) throws(FileError) -> [FilePath] {
        guard let folder = opendir(directory.cString) else {
            throw FileError("read the folder", directory, code: errno)
        }
        defer { closedir(folder) }
        var names: [FilePath] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { FilePath($0) }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// Whether a file or folder exists at a path.
    public static func exists(_ path: FilePath) -> Bool { access(path.cString, F_OK) == 0 }

    private static func isDirectory(_ path: FilePath) -> Bool {
        var info = stat()
        return stat(path.cString, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    /// Writes all bytes to an open file. Returns 0, or the `errno` of the failed call.
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

// A free function, because `read` inside `Files` means `Files.read`.
private func readChunk(_ file: Int32, _ chunk: inout [UInt8]) -> Int {
    chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
}
