import CSQLite
import Catalog

/// The items that an `=` condition on the id can match. They depend on the value in the condition.
enum IDArgument: Equatable {
    /// The condition can match only the item with this id.
    case id(String)
    /// The condition matches no item.
    case none
    /// The condition can match any item, so all items must be compared.
    case any

    /// Determines which items an `=` condition on the id can match.
    ///
    /// - Parameters:
    ///   - value: the value in the condition.
    ///   - type: the type of the ids. It determines how SQLite compares ids with values of another type.
    ///   - hasOddNumbers: returns whether the table contains an id that is an unusual form of a number, such as `007`.
    ///     The closure is called only if ids are strings and the value is a number. In this case, SQLite may compare
    ///     the ids as numbers.
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

    /// Returns whether a scope value may be equal to the value in a condition. Returns false only if both values are
    /// texts and differ. All other comparisons are left to SQLite.
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
