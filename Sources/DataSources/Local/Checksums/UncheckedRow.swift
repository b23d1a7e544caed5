import JSON
import System

/// What a row without a checksum must be, as version 0.1 wrote it: looked at each time that it is read.
enum UncheckedRow {
    /// Moments that RFC 3339 can say: the years 0 to 9999.
    private static let moments: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// Whether it can be spliced into a reply: one JSON object without a line break, kept at a moment.
    static func isSound(_ json: [UInt8], fetchedAt: Timestamp) -> Bool {
        guard moments.contains(fetchedAt.milliseconds), !json.contains(where: { $0 < 0x20 }),
            let document = try? JSONDocument(json)
        else { return false }
        return document.withRoot { $0.kind == .object } && !breaksLines(json)
    }

    /// U+0085, U+2028 and U+2029, which some readers of lines take for the end of one.
    private static let lineBreaks: [[UInt8]] = [[0xC2, 0x85], [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9]]

    private static func breaksLines(_ json: [UInt8]) -> Bool {
        json.indices.contains { at in
            json[at] >= 0xC2 && lineBreaks.contains { json[at...].starts(with: $0) }
        }
    }
}
