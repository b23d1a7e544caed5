/// A value that is bound to a statement's parameter.
enum SQLiteValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// A text; NULL for nil.
    init(_ text: String?) { self = text.map { .text($0) } ?? .null }

    /// An integer; NULL for nil.
    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }

    /// 1 or 0.
    init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}
