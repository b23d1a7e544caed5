import Model
import System

/// The file `cache.fingerprints` beside the cache file. It stores the latest fingerprint of each resource that a
/// catalog declares. With this file, Larder finds the cached entries of a resource even if a secret of its API is
/// missing.
///
/// Each line contains the hash of a resource's declaration and the fingerprint, both in hexadecimal digits.
// Without the secret, the fingerprint cannot be computed. If the file is lost, these entries cannot be found.
public enum LatestFingerprints {
    /// The maximum number of resource declarations in the file. If there are more, the oldest are removed.
    private static let maxCount = 1000
    private static let maxBytes = maxCount * 128

    /// Returns the latest fingerprint of a resource declaration; nil if none is stored.
    public static func fingerprint(
        of declaration: ResourceKey.Fingerprint, besides cache: FilePath, trust: FileTrust
    ) -> ResourceKey.Fingerprint? {
        lines(besides: cache, trust).last { $0.declaration == declaration }?.fingerprint
    }

    /// Stores the latest fingerprints of resource declarations in the file. Ignores a failure to write the file.
    public static func remember(
        _ fingerprints: [(declaration: ResourceKey.Fingerprint, fingerprint: ResourceKey.Fingerprint)],
        besides cache: FilePath, trust: FileTrust
    ) {
        guard !fingerprints.isEmpty, trust.refusal(of: cache) == nil else { return }
        var kept = lines(besides: cache, trust)
        let isKnown = fingerprints.allSatisfy { new in
            kept.contains { $0.declaration == new.declaration && $0.fingerprint == new.fingerprint }
        }
        if isKnown { return }
        kept.removeAll { old in fingerprints.contains { $0.declaration == old.declaration } }
        let text = (kept + fingerprints).suffix(maxCount).map { "\($0.declaration.digits) \($0.fingerprint.digits)\n" }
            .joined()
        try? Files.createDirectory(path(besides: cache).parent)
        try? Files.writeAtomically(Array(text.utf8), to: path(besides: cache))
    }

    private static func path(besides cache: FilePath) -> FilePath {
        (cache.parent.isEmpty ? "." : cache.parent) + "/cache.fingerprints"
    }

    private static func lines(
        besides cache: FilePath, _ trust: FileTrust
    ) -> [(declaration: ResourceKey.Fingerprint, fingerprint: ResourceKey.Fingerprint)] {
        let path = path(besides: cache)
        // Reading a pipe would block until another process writes to it.
        guard let status = FileStatus(path), status.isRegular, status.size <= maxBytes, trust.refusal(of: path) == nil,
            let bytes = try? Files.read(path)
        else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = line.split(separator: UInt8(ascii: " ")).map { ResourceKey.Fingerprint(digits: $0) }
            guard words.count == 2, let declaration = words[0], let fingerprint = words[1] else { return nil }
            return (declaration, fingerprint)
        }
    }
}

extension ResourceKey.Fingerprint {
    /// The fingerprint as 32 hexadecimal digits.
    public var digits: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Creates a fingerprint from 32 hexadecimal digits. Returns nil for any other bytes.
    fileprivate init?(digits: ArraySlice<UInt8>) {
        guard digits.count == 32, let text = String(validating: digits, as: UTF8.self),
            let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}
