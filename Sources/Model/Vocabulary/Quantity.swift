import JSON
import System

/// Parses the durations and sizes in catalogs, parameters and options.
public enum Quantity {
    /// Returns a duration in milliseconds, from a number of seconds (`90`, `0.5`) or a string with a unit (`"90s"`,
    /// `"5m"`, `"12h"`, `"30d"`).
    ///
    /// Returns nil for a value in another form, a negative duration, and a duration over 100,000 days.
    public static func milliseconds(_ view: JSONView) -> Milliseconds? {
        switch view.kind {
        case .number: view.double.flatMap { scaled($0, by: 1000, atMost: maxDuration) }
        case .string: view.string.flatMap { milliseconds($0) }
        default: nil
        }
    }

    /// Returns a duration in milliseconds, from a string with a unit such as `"5m"`, or a string with a number of
    /// seconds.
    public static func milliseconds(_ text: String) -> Milliseconds? {
        parse(text, units: ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "": 1000], atMost: maxDuration)
    }

    /// Returns a size in bytes, from a number or a string with a unit (`"16MiB"`, `"64KiB"`, `"1GiB"`, `"500B"`,
    /// `"1MB"`).
    ///
    /// Returns nil for a value in another form, a negative size, and a size over 1,024 TiB.
    public static func bytes(_ view: JSONView) -> Int? {
        switch view.kind {
        case .number: view.integer.flatMap { (0...maxBytes).contains($0) ? $0 : nil }
        case .string: view.string.flatMap { bytes($0) }
        default: nil
        }
    }

    /// Returns a size in bytes, from a string with a unit such as `"16MiB"`, or a string with a number of bytes.
    public static func bytes(_ text: String) -> Int? {
        parse(text, units: byteUnits, atMost: maxBytes)
    }

    private static let maxBytes = 1 << 50
    private static let maxDuration = 100_000 * 86_400_000
    private static let byteUnits: [String: Double] = [
        "": 1, "B": 1, "KiB": 1024, "MiB": 1_048_576, "GiB": 1_073_741_824, "TiB": 1_099_511_627_776,
        "kB": 1000, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000,
    ]

    private static func parse(_ text: String, units: [String: Double], atMost limit: Int) -> Int? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = String(text.dropFirst(digits.count).drop { $0 == " " })
        guard let number = Double(digits), let factor = units[unit] else { return nil }
        return scaled(number, by: factor, atMost: limit)
    }

    private static func scaled(_ number: Double, by factor: Double, atMost limit: Int) -> Int? {
        let product = (number * factor).rounded()
        return number >= 0 && product <= Double(limit) ? Int(product) : nil
    }
}
