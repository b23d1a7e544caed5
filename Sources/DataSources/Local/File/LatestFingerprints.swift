import Model
import System

/// The file beside the cache file that remembers under which fingerprint each declaration was kept last. Where a secret
/// is missing, the fingerprint cannot be made, and what is cached is found by it all the same.
///
/// Of each line the first word tells the declaration, the second the fingerprint, both in hexadecimal digits. A file
/// that is lost costs what is cached only as long as a secret is missing.
public enum LatestFingerprints {
    /// How many declarations are remembered: the last ones.
    private static let most = 1000
    private static let largest = most * 128

    /// The fingerprint under which a declaration was kept last; nil where none is known.
    public static func fingerprint(
        of declaration: ResourceKey.Fingerprint, besides cache: FilePath, trust: FileTrust
    ) -> ResourceKey.Fingerprint? {
        lines(besides: cache, trust).last { $0.declaration == declaration }?.fingerprint
    }

    /// Remembers fingerprints; where that cannot be written, nothing is.
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
        let text = (kept + fingerprints).suffix(most).map { "\($0.declaration.digits) \($0.fingerprint.digits)\n" }
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
        // Of a pipe one would wait for an end.
        guard let status = FileStatus(path), status.isRegular, status.size <= largest, trust.refusal(of: path) == nil,
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
    /// 32 hexadecimal digits.
    public var digits: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// A fingerprint from its digits; nil where they are not 32.
    fileprivate init?(digits: ArraySlice<UInt8>) {
        guard digits.count == 32, let text = String(validating: digits, as: UTF8.self),
            let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}
