import JSON
import Model
import TestSupport
import Testing

@Suite("Durations and sizes", .limited)
struct QuantityTests {
    @Test(arguments: [
        ("90s", 90_000), ("5m", 300_000), ("12h", 43_200_000), ("30d", 2_592_000_000), ("0s", 0), ("0", 0),
        ("90", 90_000), ("1.5s", 1500), ("0.5h", 1_800_000), ("0.0004s", 0), ("0.001s", 1), ("2 m", 120_000),
        ("100000d", 8_640_000_000_000),
    ])
    func textDurationsAreParsed(_ text: String, _ expected: Int) {
        #expect(Quantity.milliseconds(text) == expected)
    }

    @Test(arguments: [
        "", " ", "s", "m", "-1s", "-0.0001s", "+1s", "1S", "1M", "1w", "1ms", "1 s ", " 1s", "1e3s", "1.2.3s", ".",
        ".s", "1,5s", "0x10s", "nan", "inf", "1h30m", "100001d", "99999999999999999999999s", "\u{661}s", "1s\n",
        "1\u{301}s",
    ])
    func invalidDurationsAreRejected(_ text: String) {
        #expect(Quantity.milliseconds(text) == nil)
    }

    @Test(arguments: [
        ("0", 0), ("90", 90_000), ("0.5", 500), ("1e3", 1_000_000), ("\"5m\"", 300_000), ("\"90\"", 90_000),
        ("-1", nil), ("-0.0001", nil), ("1e400", nil), ("-1e400", nil), ("9e12", nil), ("null", nil), ("true", nil),
        ("[1]", nil),
        ("{}", nil), ("\"\"", nil),
    ])
    func durationsInJSONAreParsed(_ text: String, _ expected: Int?) throws {
        try JSONDocument(Array(text.utf8)).withRoot { #expect(Quantity.milliseconds($0) == expected) }
    }

    @Test(arguments: [
        ("0", 0), ("500", 500), ("500B", 500), ("64KiB", 65_536), ("16MiB", 16_777_216), ("1GiB", 1_073_741_824),
        ("1TiB", 1_099_511_627_776), ("1kB", 1000), ("1KB", 1000), ("1MB", 1_000_000), ("2GB", 2_000_000_000),
        ("1.5KiB", 1536), ("16 MiB", 16_777_216), ("1024TiB", 1 << 50),
    ])
    func textSizesAreParsed(_ text: String, _ expected: Int) {
        #expect(Quantity.bytes(text) == expected)
    }

    @Test(arguments: [
        "", "B", "MiB", "-1", "-1MiB", "+1", "1mib", "1PiB", "1 000", "1025TiB", "99999999999999999999", "1e3", "nan",
        "1s",
        "0x10", "1MiB ", "1MiBs",
    ])
    func invalidSizesAreRejected(_ text: String) {
        #expect(Quantity.bytes(text) == nil)
    }

    @Test(arguments: [
        ("0", 0), ("1024", 1024), ("\"1KiB\"", 1024), ("1125899906842624", 1 << 50), ("1125899906842625", nil),
        ("9223372036854775807", nil), ("-1", nil), ("1.5", nil), ("1e3", nil), ("null", nil), ("[]", nil),
        ("\"x\"", nil),
    ])
    func sizesInJSONAreParsed(_ text: String, _ expected: Int?) throws {
        try JSONDocument(Array(text.utf8)).withRoot { #expect(Quantity.bytes($0) == expected) }
    }
}
