/// What differs once a file was written to, or another one has taken its place.
public struct FileStamp: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64
    private let size: Int64
    /// Of the last change, in seconds since 1970 and nanoseconds.
    private let moment: [Int64]

    /// That of the file at a path, through symbolic links; nil where there is none, and for what is no file, such as a
    /// pipe.
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

/// A file as it was at a moment: before it was read, so that what changes meanwhile is seen later.
public struct WatchedFile: Hashable, Sendable {
    public let path: FilePath
    /// nil where it is not there.
    private let stamp: FileStamp?

    /// The file as it is now.
    public init(_ path: FilePath) {
        self.path = path
        stamp = FileStamp(path)
    }

    /// The same file as it is now.
    public var now: WatchedFile { WatchedFile(path) }
}
