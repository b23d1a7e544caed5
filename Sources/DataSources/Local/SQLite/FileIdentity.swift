import System

/// Which file stands at a path: another one under the same name has another identity.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// The identity of the file at a path; nil where there is none.
    init?(path: FilePath) {
        var status = stat()
        guard stat(path.cString, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
