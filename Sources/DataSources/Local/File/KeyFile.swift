import Model
import System

/// The file `cache.key` beside the cache file. It stores the key with which the fingerprints of resources are computed.
public enum KeyFile {
    /// The maximum wait for another process's lock on the folder, in milliseconds. The wait is short because it delays
    /// the start of Larder.
    private static let lockTimeout: Int32 = 80

    private enum StoredKey {
        case key(FingerprintKey)
        case nothing
        case damaged(String)
    }

    /// Returns the key that is stored beside a cache file. If there is none, creates and stores a new key.
    ///
    /// Processes that start at the same time get the same key, unless the key cannot be stored.
    ///
    /// - Parameter trust: The rule for trusting existing files.
    /// - Returns: The key, and a message if an unusable key file was replaced.
    public static func key(besides cache: FilePath, trust: FileTrust) -> (key: FingerprintKey, fault: String?) {
        // The data source of the cache file reports the refusal itself.
        guard trust.refusal(of: cache) == nil else { return (.random(), nil) }
        let path = path(besides: cache)
        if case .key(let key) = read(path, trust) { return (key, nil) }
        return make(path, trust)
    }

    /// Writes the key to the file `cache.key` beside a cache file. Does nothing if `cache.key` exists.
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
            // If several processes find no usable key, the first process creates the key and the others read it.
            guard let lock = try? FolderLock(folderOf: path, timeout: lockTimeout) else {
                // `restore` stores the new key later, unless another process has stored a key by then.
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
                return (new, "replaced the key of the cache, \(path): \(reason); larder fetches all data again")
            }
        } catch {
            // If the key cannot be written here, the cache file cannot be written either.
            return (new, nil)
        }
    }

    private static func read(_ path: FilePath, _ trust: FileTrust) -> StoredKey {
        guard let status = FileStatus(path) else { return .nothing }
        // Reading a pipe would block until another process writes to it.
        guard status.isRegular, status.size == FingerprintKey.count else { return .damaged("not a key file") }
        if trust.refusal(of: path) != nil { return .damaged("another user had permission to change the file") }
        guard let bytes = try? Files.read(path), let key = FingerprintKey(kept: bytes) else {
            return .damaged("not a readable key")
        }
        if status.isAccessibleToOthers { chmod(path.cString, status.ownerPermissions) }
        return .key(key)
    }
}
