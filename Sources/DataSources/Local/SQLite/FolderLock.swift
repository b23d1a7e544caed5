#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Keeps other processes that ask for the same from working on a folder's names. Released with `unlock`.
struct FolderLock {
    private let folder: Int32

    /// Waits for the lock; where a folder cannot be locked, there is none.
    init(folderOf path: FilePath) {
        let parent = path.parent.isEmpty ? "." : path.parent
        folder = open(parent.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 { flock(folder, LOCK_EX) }
    }

    func unlock() {
        if folder >= 0 { close(folder) }
    }
}
