import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests the file that stores the latest fingerprint of each declaration.
@Suite(.limited) struct LatestFingerprintsTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var cache: FilePath { directory.file("below/cache.sqlite") }
    private var file: FilePath { directory.file("below/cache.fingerprints") }

    private static func print(_ number: UInt64) -> ResourceKey.Fingerprint { .init(high: number, low: ~number) }

    private func latest(_ number: UInt64) -> ResourceKey.Fingerprint? {
        LatestFingerprints.fingerprint(of: Self.print(number), besides: cache, trust: .named)
    }

    private func remember(_ pairs: [(UInt64, UInt64)]) {
        LatestFingerprints.remember(
            pairs.map { (Self.print($0.0), Self.print($0.1)) }, besides: cache, trust: .named)
    }

    @Test func latestFingerprintOfEachDeclarationIsFound() {
        #expect(latest(1) == nil)
        remember([(1, 10), (2, 20)])
        #expect((latest(1), latest(2), latest(3)) == (Self.print(10), Self.print(20), nil))
        remember([(1, 11)])
        #expect((latest(1), latest(2)) == (Self.print(11), Self.print(20)))
    }

    @Test func knownFingerprintsAreNotWrittenAgain() throws {
        remember([(1, 10), (2, 20)])
        let before = FileStamp(file)
        remember([(2, 20)])
        remember([])
        #expect(FileStamp(file) == before)
        remember([(2, 21)])
        #expect(FileStamp(file) != before)
    }

    @Test func fingerprintFileOverTheSizeLimitIsNotUsed() throws {
        remember([(1, 10)])
        let bytes = try Files.read(file)
        let padding = [UInt8](repeating: UInt8(ascii: "\n"), count: 128_000 - bytes.count)
        try Files.writeAtomically(bytes + padding, to: file)
        #expect(latest(1) == Self.print(10))
        try Files.writeAtomically(bytes + padding + [UInt8(ascii: "\n")], to: file)
        #expect(latest(1) == nil)
    }

    @Test func oldestFingerprintsAreRemoved() throws {
        remember((0..<1000).map { ($0, $0 + 1) })
        remember([(5000, 1)])
        #expect((latest(0), latest(1), latest(5000)) == (nil, Self.print(2), Self.print(1)))
        #expect(try Files.read(file).split(separator: UInt8(ascii: "\n")).count == 1000)
    }

    @Test func invalidLinesOfTheFingerprintFileAreIgnored() throws {
        remember([(1, 10)])
        let good = try Files.read(file)
        let words = Self.print(2).digits
        let bad = [
            "", "x", words, "\(words) \(words.dropLast())", "\(words) \(words) \(words)",
            "\(words) z\(words.dropFirst())",
        ]
        try Files.writeAtomically(Array(bad.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")] + good, to: file)
        #expect((latest(1), latest(2)) == (Self.print(10), nil))
    }

    @Test func tooLargeFingerprintFileIsNotRead() throws {
        remember([(1, 10)])
        let good = try Files.read(file)
        try Files.writeAtomically(good + [UInt8](repeating: UInt8(ascii: "\n"), count: 128_000), to: file)
        #expect(latest(1) == nil)
    }

    @Test func worldWritableFingerprintFileIsNotTrusted() throws {
        remember([(1, 10)])
        chmod(file.cString, 0o666)
        #expect(latest(1) == nil)
    }

    @Test func fingerprintTextContainsBothHalvesOfTheFingerprint() {
        #expect(ResourceKey.Fingerprint(high: 0xAB, low: 1).digits == "00000000000000ab0000000000000001")
    }
}
