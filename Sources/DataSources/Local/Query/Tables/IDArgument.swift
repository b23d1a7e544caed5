import CSQLite
import Catalog

/// The value in an `=` condition on the id of an item.
enum IDArgument: Equatable {
    /// At most the item with this id meets the condition.
    case id(String)
    /// No item meets the condition.
    case none
    /// Any item may meet the condition, so all items must be compared.
    case any

    /// Reads the value of a condition.
    ///
    /// - Parameters:
    ///   - type: the type of the ids. It determines how SQLite compares ids with values of another type.
    ///   - hasOddNumbers: whether an id is an unusual form of a number, such as `007`, and ids are strings. SQLite may
    ///     compare such ids as numbers.
    init(_ value: OpaquePointer?, _ type: IDType, hasOddNumbers: () throws(SQLiteError) -> Bool) throws(SQLiteError) {
        // If ids are integers, SQLite converts text to a number before the comparison.
        let kind = type == .integer ? sqlite3_value_numeric_type(value) : sqlite3_value_type(value)
        switch kind {
        case SQLITE_INTEGER, SQLITE_FLOAT:
            let number =
                kind == SQLITE_INTEGER
                ? sqlite3_value_int64(value) : Int64(exactly: sqlite3_value_double(value))
            let isCompared = if type == .integer { false } else { try hasOddNumbers() }
            self = if let number, !isCompared { .id(String(number)) } else { .any }
        case SQLITE_TEXT: self = .id(Self.text(value))
        default: self = .none
        }
    }

    /// Returns false if the scope value and the value of the condition are different texts. Otherwise returns true, and
    /// SQLite compares the two values itself.
    static func mayEqual(_ part: QueryValue, _ value: OpaquePointer?) -> Bool {
        guard case .text(let text) = part, sqlite3_value_type(value) == SQLITE_TEXT else { return true }
        return text == Self.text(value)
    }

    private static func text(_ value: OpaquePointer?) -> String {
        let count = Int(sqlite3_value_bytes(value))
        guard let start = sqlite3_value_text(value) else { return "" }
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
