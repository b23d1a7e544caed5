import CSQLite
import JSON
import Model
import System

/// Returns values of virtual tables to SQLite.
enum QueryResult {
    static func text(_ bytes: UnsafeRawBufferPointer, to context: OpaquePointer?) {
        guard let start = bytes.baseAddress else {
            return sqlite3_result_text(context, "", 0, larder_sqlite_transient())
        }
        sqlite3_result_text64(
            context, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), larder_sqlite_transient(),
            UInt8(SQLITE_UTF8))
    }

    static func text(_ text: String, to context: OpaquePointer?) {
        var text = text
        text.withUTF8 { Self.text(UnsafeRawBufferPointer($0), to: context) }
    }

    /// Returns an integer, or its digits as text if it does not fit into 64 bits.
    static func integer(_ digits: UnsafeRawBufferPointer, to context: OpaquePointer?) {
        if let number = Int64(digits: digits) {
            sqlite3_result_int64(context, number)
        } else {
            text(digits, to: context)
        }
    }

    /// Returns a JSON number to SQLite, as the nearest floating-point number.
    static func real(_ digits: UnsafeRawBufferPointer, to context: OpaquePointer?) {
        sqlite3_result_double(context, Double(String(decoding: digits, as: UTF8.self)) ?? 0)
    }

    static func value(_ value: QueryValue, to context: OpaquePointer?) {
        switch value {
        case .null: sqlite3_result_null(context)
        case .integer(let number): sqlite3_result_int64(context, number)
        case .real(let number): sqlite3_result_double(context, number)
        case .text(let text): Self.text(text, to: context)
        }
    }
}

extension Int64 {
    /// Parses the digits of an integer; nil if there are other characters, or if the number does not fit.
    init?(digits: UnsafeRawBufferPointer) {
        let isNegative = digits.first == UInt8(ascii: "-")
        guard digits.count > (isNegative ? 1 : 0), digits.count <= 20 else { return nil }
        var value: Int64 = 0
        for byte in digits.dropFirst(isNegative ? 1 : 0) {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let digit = Int64(byte - 0x30)
            let (sum, overflow) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if overflows || overflow { return nil }
            value = sum
        }
        self = value
    }
}

/// Formats times in UTC with microseconds. All texts have the same length, so they sort in the order of time.
enum QueryDate {
    private static let length = 27

    /// Passes a date to SQLite. Returns false for a text that is not a date in UTC in the form of RFC 3339, as Larder
    /// writes it.
    static func result(_ date: UnsafeRawBufferPointer, to context: OpaquePointer?) -> Bool {
        guard date.count >= 20, date[date.count - 1] == UInt8(ascii: "Z"), date[10] == UInt8(ascii: "T") else {
            return false
        }
        let fraction = date[19..<date.count - 1].dropFirst()
        guard date.count == 20 || (date[19] == UInt8(ascii: ".") && fraction.allSatisfy { $0 >= 0x30 && $0 <= 0x39 })
        else { return false }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { out in
            for index in 0..<length {
                out.initializeElement(at: index, to: index < 19 ? date[index] : UInt8(ascii: "0"))
            }
            out[19] = UInt8(ascii: ".")
            for (index, digit) in fraction.prefix(6).enumerated() { out[20 + index] = digit }
            out[26] = UInt8(ascii: "Z")
            QueryResult.text(UnsafeRawBufferPointer(out), to: context)
        }
        return true
    }

    /// Returns a time in UTC with microseconds, such as `2024-05-01T12:00:00.123000Z`.
    static func text(of moment: Timestamp) -> String {
        String(decoding: moment.rfc3339Bytes.dropLast() + Array("000Z".utf8), as: UTF8.self)
    }
}
