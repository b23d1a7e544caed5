/// The rules that decide whether Larder trusts a file. Larder refuses a file that another user may have created or
/// changed.
///
/// Symbolic links are followed, and the rules apply to their target.
// Write permission for the group is accepted, because with the umask 002, the user's group can write to all new files.
public enum FileTrust: Equatable, Sendable {
    /// A file that the user named. The file is refused if every user may write to it.
    case named
    /// A file at a default path. The file and its folder must belong to the current user or root. Files and folders to
    /// which every user may write are refused, except folders with the sticky bit, such as `/tmp`.
    // In a sticky folder, users cannot replace each other's files.
    case found
    /// A database at a default path. The file and its folder must belong to the current user or root. Files and folders
    /// to which every user may write are refused, even folders with the sticky bit.
    // SQLite reads a log beside the database, and every user could create this log in a sticky folder.
    case foundDatabase

    /// Returns the reason why the file at a path is refused, with advice; nil if the file is trusted or does not exist.
    public func refusal(of path: FilePath) -> String? {
        if self != .named, let folder = FileStatus(path.parent) {
            if let reason = foreign(path.parent, folder) { return reason }
            if folder.isWritableForAll, !(self == .found && folder.isSticky) {
                return "every user may write to the folder \(path.parent); run: chmod o-w \(path.parent)"
            }
        }
        guard let file = FileStatus(path) else { return nil }
        if self != .named, let reason = foreign(path, file) { return reason }
        // A device is not refused here. The code that reads the file reports the device.
        guard file.isWritableForAll, !file.isDevice else { return nil }
        return "every user may write to the file; check its content, then run: chmod o-w \(path)"
    }

    private func foreign(_ path: FilePath, _ status: FileStatus) -> String? {
        let user = geteuid()
        if status.owner == 0 || status.owner == user { return nil }
        // In a container, folders of root can belong to a user outside the container. Such folders are trusted if no
        // other user can have created them.
        if user == 0, !Self.mayBePlanted(path) { return nil }
        return
            "\(path) belongs to the user \(status.owner); only files of the user \(user) or root are trusted; change"
            + " the owner with chown"
    }

    /// Whether another user may have created a component of a path, such as a folder or a link. This is possible if
    /// every user may write to the folder that contains the component.
    private static func mayBePlanted(_ path: FilePath) -> Bool {
        for var path in [path, Files.resolved(path)] {
            while !path.isEmpty, path != "/" {
                let folder = path.parent
                if FileStatus(folder)?.isWritableForAll == true, FileStatus(link: path)?.owner != 0 { return true }
                path = folder
            }
        }
        return false
    }
}

/// The owner, the permissions and the kind of a file or folder.
package struct FileStatus {
    private let status: stat

    /// Reads the status of the file at a path, following symbolic links. Returns nil if there is no file.
    package init?(_ path: FilePath) {
        var status = stat()
        guard stat(path.cString, &status) == 0 else { return nil }
        self.status = status
    }

    /// Reads the status of a path without following a symbolic link. Returns nil if nothing is at the path.
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

    /// Whether the folder is sticky. In a sticky folder, users cannot remove or rename the files of other users.
    package var isSticky: Bool { status.st_mode & S_ISVTX != 0 }

    /// Whether users other than the owner have any permission.
    package var isAccessibleToOthers: Bool { status.st_mode & 0o077 != 0 }

    /// The permission bits of the owner.
    package var ownerPermissions: mode_t { status.st_mode & 0o700 }
}
