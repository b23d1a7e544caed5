/// The identity and the last change of a file. A different stamp means that the file was changed or replaced.
public struct FileStamp: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64
    private let size: Int64
    /// The modification time and the status change time, each in seconds since 1970 and nanoseconds.
    private let moment: [Int64]

    /// Reads the stamp of the file at a path, following symbolic links. Returns nil if there is no regular file.
    public init?(_ path: FilePath) {
        var status = stat()
        guard stat(path.cString, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Glibc)
            let times = [status.st_mtim, status.st_ctim]
        #else
            let times = [status.st_mtimespec, status.st_ctimespec]
        #endif
        moment = times.flatMap { [Int64($0.tv_sec), Int64($0.tv_nsec)] }
    }
}

/// A file with its stamp at one moment. Take the stamp before reading the file, so that a later change is detected.
public struct WatchedFile: Hashable, Sendable {
    public let path: FilePath
    /// The file's stamp; nil if the file did not exist.
    private let stamp: FileStamp?

    /// Creates a watched file with the current stamp of the file.
    public init(_ path: FilePath) {
        self.path = path
        stamp = FileStamp(path)
    }

    /// This file with its current stamp. The result is unequal to `self` if the file has changed.
    public var now: WatchedFile { WatchedFile(path) }
}
