import System

/// The number of a sync run in the column `holder` of the cache file. It identifies the run and its process.
///
/// The upper bits are the process id (22 bits) and a number for the machine's boot and its process namespace (20 bits).
/// The lower 21 bits are random.
enum SyncHolder {
    private static let processBits: Int64 = 22
    private static let spaceBits: Int64 = 20
    private static let randomBits: Int64 = 21

    /// Returns the number for a new sync run of this process.
    static func make() -> Int64 {
        let process = Int64(getpid()) & ((1 << processBits) - 1)
        return (process << (spaceBits + randomBits)) | (space << randomBits)
            | Int64.random(in: 1..<(1 << randomBits))
    }

    /// Whether the process of a sync run has ended. False if unknown, for example because the process runs in another
    /// container.
    static func hasEnded(_ holder: Int64) -> Bool {
        guard space != 0, (holder >> randomBits) & ((1 << spaceBits) - 1) == space else { return false }
        let process = pid_t(truncatingIfNeeded: holder >> (spaceBits + randomBits))
        guard process > 0 else { return false }
        return kill(process, 0) == 0 ? isZombie(process) : errno == ESRCH
    }

    /// Whether a process is a zombie: it has exited, but its parent has not read its exit status yet.
    private static func isZombie(_ process: pid_t) -> Bool {
        guard let bytes = try? Files.read(FilePath("/proc/\(process)/stat")) else { return false }
        // The state follows the name, which is in parentheses: `42 (larder) Z 1 ...`.
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return false }
        return bytes[end...].dropFirst(2).first == UInt8(ascii: "Z")
    }

    /// A number that identifies the current boot of the machine and the namespace of process ids. Process ids can be
    /// compared only between processes with the same number. 0 if the number cannot be determined.
    private static let space: Int64 = {
        var namespace = stat()
        guard stat("/proc/self/ns/pid", &namespace) == 0,
            let text = try? Files.read("/proc/sys/kernel/random/boot_id")
        else { return 0 }
        let boot = text.withUnsafeBytes { XXHash64.hash($0, seed: UInt64(namespace.st_ino)) }
        return Int64(boot >> UInt64(64 - spaceBits))
    }()
}
