import Model
import System

/// The file beside the cache file that keeps the key of the fingerprints.
public enum KeyFile {
    /// How long another process may keep the folder locked, in milliseconds: the start waits for it.
    private static let patience: Int32 = 80

    private enum Kept {
        case key(FingerprintKey)
        case nothing
        case damaged(String)
    }

    /// The key that is kept beside a cache file; a new one where there is none yet. Several processes that start at
    /// once have the same. Where none can be kept, it holds for this process alone.
    ///
    /// - Parameter trust: How far what is there is trusted.
    /// - Returns: Also what has to be told, where one that cannot be used was replaced.
    public static func key(besides cache: FilePath, trust: FileTrust) -> (key: FingerprintKey, fault: String?) {
        // The data source that uses the cache file says so itself.
        guard trust.refusal(of: cache) == nil else { return (.random(), nil) }
        let path = path(besides: cache)
        if case .key(let key) = read(path, trust) { return (key, nil) }
        return make(path, trust)
    }

    /// Keeps a key again where there is none any more: somebody has deleted it, together with the cache file.
    static func restore(_ key: FingerprintKey, besides cache: FilePath) {
        let path = path(besides: cache)
        if FileStatus(path) == nil { try? Files.writeAtomically(key.bytes, to: path) }
    }

    private static func path(besides cache: FilePath) -> FilePath {
        (cache.parent.isEmpty ? "." : cache.parent) + "/cache.key"
    }

    private static func make(_ path: FilePath, _ trust: FileTrust) -> (key: FingerprintKey, fault: String?) {
        let new = FingerprintKey.random()
        do throws(FileError) {
            try Files.createDirectory(path.parent)
            // Of those who find none, or a damaged one, the first makes it and the others find it.
            guard let lock = try? FolderLock(folderOf: path, patience: patience) else {
                // `restore` keeps it where nobody else has made one by then.
                if case .key(let key) = read(path, trust) { return (key, nil) }
                return (new, nil)
            }
            defer { lock.unlock() }
            switch read(path, trust) {
            case .key(let key): return (key, nil)
            case .nothing:
                try Files.writeAtomically(new.bytes, to: path)
                return (new, nil)
            case .damaged(let reason):
                try Files.writeAtomically(new.bytes, to: path)
                return (new, "\(path) \(reason) and was replaced: what was kept before is not found any more")
            }
        } catch {
            // Who cannot write here cannot keep anything in the cache file either.
            return (new, nil)
        }
    }

    private static func read(_ path: FilePath, _ trust: FileTrust) -> Kept {
        guard let status = FileStatus(path) else { return .nothing }
        // Of a pipe one would wait for an end.
        guard status.isRegular, status.size == FingerprintKey.count else { return .damaged("is no key") }
        if trust.refusal(of: path) != nil { return .damaged("may be somebody else's") }
        guard let bytes = try? Files.read(path), let key = FingerprintKey(kept: bytes) else {
            return .damaged("cannot be read as a key")
        }
        if status.isForOthers { chmod(path.cString, status.ownersMode) }
        return .key(key)
    }
}
