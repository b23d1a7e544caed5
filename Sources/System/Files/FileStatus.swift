/// Whose a file or folder is, and who may do what with it.
package struct FileStatus {
    private let status: stat

    /// What a path leads to; nil where there is nothing.
    package init?(_ path: FilePath) {
        var status = stat()
        guard stat(path.cString, &status) == 0 else { return nil }
        self.status = status
    }

    /// What is at a path itself, be it a symbolic link; nil where there is nothing.
    package init?(link path: FilePath) {
        var status = stat()
        guard lstat(path.cString, &status) == 0 else { return nil }
        self.status = status
    }

    package var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }

    package var isDevice: Bool { [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT) }

    package var size: Int { Int(status.st_size) }

    package var owner: uid_t { status.st_uid }

    package var isWritableForAll: Bool { status.st_mode & S_IWOTH != 0 }

    /// In a sticky folder nobody removes or renames what is another user's.
    package var isSticky: Bool { status.st_mode & S_ISVTX != 0 }

    /// Whether anybody but the owner may do anything with it.
    package var isForOthers: Bool { status.st_mode & 0o077 != 0 }

    /// The permissions without those of anybody but the owner.
    package var ownersMode: mode_t { status.st_mode & 0o700 }
}
