import CSQLite
import System

/// Replaces the functions `instr`, `replace` and `trim` of SQLite (https://sqlite.org/lang_corefunc.html). They return
/// the same values, but their time grows only linearly with the lengths of their arguments. One call of SQLite's own
/// functions can take minutes, and nothing can stop it. Texts must be valid UTF-8.
enum TextFunctions {
    private typealias Function = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    /// Registers the functions for a connection. Returns an SQLite result code.
    static func register(at connection: OpaquePointer?) -> Int32 {
        let functions: [(name: String, count: Int32, function: Function)] = [
            ("instr", 2, instr), ("replace", 3, replace),
            ("trim", 1, trim), ("trim", 2, trim), ("ltrim", 1, trimStart), ("ltrim", 2, trimStart),
            ("rtrim", 1, trimEnd), ("rtrim", 2, trimEnd),
        ]
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        for (name, count, function) in functions {
            let code = sqlite3_create_function_v2(connection, name, count, flags, nil, function, nil, nil, nil)
            if code != SQLITE_OK { return code }
        }
        return SQLITE_OK
    }

    private static let instr: Function = { context, _, values in
        let call = Call(context, values)
        if call.hasNull(2) { return }
        let areBytes = call.isBlob(0) && call.isBlob(1)
        guard let text = areBytes ? call.blob(0) : call.text(0), let part = areBytes ? call.blob(1) : call.text(1)
        else {
            return sqlite3_result_error_nomem(context)
        }
        guard let offset = place(of: part, in: text) else { return sqlite3_result_int(context, 0) }
        let before = text[..<offset]
        let count = areBytes ? before.count : before.reduce(0) { $0 + ($1.isContinuation ? 0 : 1) }
        sqlite3_result_int(context, Int32(count + 1))
    }

    private static let replace: Function = { context, _, values in
        let call = Call(context, values)
        if call.hasNull(2) { return }
        guard let text = call.text(0), let part = call.text(1) else { return sqlite3_result_error_nomem(context) }
        // SQLite does not look at the third argument in this case.
        if part.first ?? 0 == 0 { return sqlite3_result_value(context, call.value(0)) }
        if call.hasNull(3) { return }
        guard let replacement = call.text(2) else { return sqlite3_result_error_nomem(context) }
        let limit = Int(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1))
        var (result, rest): ([UInt8], UnsafeRawBufferPointer) = ([], text)
        result.reserveCapacity(text.count)
        while let offset = place(of: part, in: rest) {
            result += rest[..<offset]
            result += replacement
            rest = UnsafeRawBufferPointer(rebasing: rest[(offset + part.count)...])
            if result.count + rest.count > limit { return sqlite3_result_error_toobig(context) }
        }
        result += rest
        call.answer(result)
    }

    private static let trim: Function = { trim($0, $1, $2, atStart: true, atEnd: true) }
    private static let trimStart: Function = { trim($0, $1, $2, atStart: true, atEnd: false) }
    private static let trimEnd: Function = { trim($0, $1, $2, atStart: false, atEnd: true) }

    private static func trim(
        _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?, atStart: Bool,
        atEnd: Bool
    ) {
        let call = Call(context, values)
        if call.hasNull(Int(count)) { return }
        guard let text = call.text(0) else { return sqlite3_result_error_nomem(context) }
        var removed: Set<UInt64> = [UInt64(UInt8(ascii: " "))]
        if count == 2 {
            guard let characters = call.text(1) else { return sqlite3_result_error_nomem(context) }
            removed = []
            // As in SQLite, the characters end before a NUL.
            var rest = characters.prefix { $0 != 0 }
            while !rest.isEmpty { removed.insert(code(of: takeFirst(&rest))) }
        }
        var rest = text[...]
        while atStart, !rest.isEmpty {
            var shorter = rest
            guard removed.contains(code(of: takeFirst(&shorter))) else { break }
            rest = shorter
        }
        while atEnd, !rest.isEmpty {
            var shorter = rest
            guard removed.contains(code(of: takeLast(&shorter))) else { break }
            rest = shorter
        }
        call.answer(rest)
    }

    /// Returns the offset of the first occurrence of `part`; nil if it does not occur.
    private static func place(of part: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Int? {
        guard let wanted = part.baseAddress, !part.isEmpty else { return 0 }
        guard let start = text.baseAddress, let found = larder_find(start, text.count, wanted, part.count) else {
            return nil
        }
        return found - start
    }

    /// Removes and returns the bytes of the first character in UTF-8.
    private static func takeFirst(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let end = bytes.dropFirst().firstIndex { !$0.isContinuation } ?? bytes.endIndex
        defer { bytes = bytes[end...] }
        return bytes[..<end]
    }

    /// Removes and returns the bytes of the last character in UTF-8.
    private static func takeLast(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let start = bytes.lastIndex { !$0.isContinuation } ?? bytes.startIndex
        defer { bytes = bytes[..<start] }
        return bytes[start...]
    }

    /// Returns the UTF-8 bytes of a character as one number.
    private static func code(of bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The arguments of a call of an SQL function.
private struct Call {
    private let context: OpaquePointer?
    private let values: UnsafeMutablePointer<OpaquePointer?>?

    init(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        (self.context, self.values) = (context, values)
    }

    func value(_ index: Int) -> OpaquePointer? { values?[index] }

    /// Whether at least one of the first `count` arguments of the call is NULL.
    func hasNull(_ count: Int) -> Bool {
        (0..<count).contains { sqlite3_value_type(value($0)) == SQLITE_NULL }
    }

    func isBlob(_ index: Int) -> Bool { sqlite3_value_type(value(index)) == SQLITE_BLOB }

    /// The argument as text in UTF-8; nil if there is not enough memory.
    func text(_ index: Int) -> UnsafeRawBufferPointer? {
        // The text must be read before its length.
        guard let text = sqlite3_value_text(value(index)) else { return nil }
        return UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value(index))))
    }

    func blob(_ index: Int) -> UnsafeRawBufferPointer? {
        let bytes = sqlite3_value_blob(value(index))
        return UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(sqlite3_value_bytes(value(index))))
    }

    /// Returns a text to SQLite.
    func answer(_ bytes: some Sequence<UInt8>) {
        let found: Void? = bytes.withContiguousStorageIfAvailable { answer($0) }
        if found == nil { Array(bytes).withUnsafeBufferPointer { answer($0) } }
    }

    private func answer(_ bytes: UnsafeBufferPointer<UInt8>) {
        bytes.withMemoryRebound(to: CChar.self) { text in
            // SQLite takes no text without an address.
            let start = text.baseAddress ?? UnsafePointer(larder_empty_text())
            sqlite3_result_text(context, start, Int32(text.count), larder_sqlite_transient())
        }
    }
}

extension UInt8 {
    /// Whether the byte continues a character in UTF-8.
    fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}
