/// Whether a file may decide anything: it may not where anybody could have put it there, or may change it.
///
/// Permissions of a group are the user's affair: with the mask 002 all files are writable for one. A symbolic link is
/// followed: what it leads to counts.
public enum FileTrust: Equatable, Sendable {
    /// The user named the file: it is refused where everyone may write it.
    case named
    /// The file is looked for in a place that nobody named. It and its folder must be this user's or root's, and not
    /// writable for everyone; but the folder may be where it is sticky: there nobody replaces another user's file.
    case found
    /// The same for a database. Beside it lies a log that is taken for a part of it, and anybody could put one into a
    /// folder that everyone may write in, sticky or not.
    case foundDatabase

    /// Why what is at a path is refused, and what to do; nil where it is not, or where nothing is there.
    public func refusal(of path: FilePath) -> String? {
        if self != .named, let folder = FileStatus(path.parent) {
            if let reason = foreign(path.parent, folder) { return reason }
            if folder.isWritableForAll, !(self == .found && folder.isSticky) {
                return "everyone may write in the folder \(path.parent): chmod o-w it"
            }
        }
        guard let file = FileStatus(path) else { return nil }
        if self != .named, let reason = foreign(path, file) { return reason }
        // A device is no file at all, and told as what it is by who reads it.
        guard file.isWritableForAll, !file.isDevice else { return nil }
        return "everyone may write the file: look what it holds, and chmod o-w it"
    }

    private func foreign(_ path: FilePath, _ status: FileStatus) -> String? {
        let user = geteuid()
        if status.owner == 0 || status.owner == user { return nil }
        // In a container root works with folders of the users outside: it has put them where they are, if nobody else
        // can have done so.
        if user == 0, !Self.mayBePlanted(path) { return nil }
        return "\(path) belongs to the user \(status.owner), not to this one (\(user)) or root"
    }

    /// Whether a part of a path is another user's, in a folder that everyone may write in.
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
