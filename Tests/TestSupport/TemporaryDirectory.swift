import System

/// A new folder that is removed with its contents when the object is released.
public final class TemporaryDirectory: Sendable {
    /// The folder's absolute path.
    public let path: String

    /// A file operation failed.
    public struct Failure: Error {
        /// The operation and the reason.
        public let message: String
    }

    /// Creates the folder in `TMPDIR` or `/tmp`.
    ///
    /// - Throws: `Failure` if the folder cannot be created.
    public init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/larder-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(message: "mkdtemp: \(String(cString: strerror(errno)))") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// Returns the path of a name in the folder.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Returns the path of a name in the folder as a `FilePath`. Without a type, the compiler chooses the `String`.
    @_disfavoredOverload
    public func file(_ name: String) -> FilePath { FilePath("\(path)/\(name)") }

    /// The names in the folder, sorted.
    public var names: [String] { Self.names(in: path) }

    /// Returns the permission bits of a file or subfolder; nil if it does not exist.
    public func mode(of name: String) -> UInt32? {
        var status = stat()
        return stat(file(name), &status) == 0 ? UInt32(status.st_mode) & 0o777 : nil
    }

    /// Reads a file.
    ///
    /// - Throws: `Failure` if the file cannot be opened.
    public func read(_ name: String) throws -> [UInt8] {
        guard let stream = fopen(file(name), "rb") else { throw Failure(message: "cannot read \(name)") }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    /// Writes a file and replaces an existing one.
    ///
    /// - Throws: `Failure` if the file cannot be written.
    public func write(_ bytes: [UInt8], to name: String) throws {
        guard let stream = fopen(file(name), "wb") else { throw Failure(message: "cannot write \(name)") }
        defer { fclose(stream) }
        guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else {
            throw Failure(message: "cannot write \(name)")
        }
    }

    /// Deletes a file if it exists.
    public func delete(_ name: String) { unlink(file(name)) }

    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            for name in names(in: path) { remove("\(path)/\(name)") }
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}
