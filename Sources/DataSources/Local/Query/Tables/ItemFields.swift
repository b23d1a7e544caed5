import CSQLite
import Catalog
import JSON
import System

/// Reads the fields of an item's JSON that a statement uses, in one pass of the parser.
struct ItemFields {
    /// The place of a field's value in the JSON text.
    private struct Cell {
        var kind = JSONKind.null
        var start = 0
        var count = 0
        /// The decoded text of a string that contains escapes. Nil for any other value.
        var decoded: String?
    }

    private let fields: [FieldDefinition]
    /// The indexes of the fields to read, in ascending order.
    private var wanted: [Int] = []
    private var cells: [Cell]
    private var tape = JSONTape()

    init(_ fields: [FieldDefinition]) {
        self.fields = fields
        cells = Array(repeating: Cell(), count: fields.count)
    }

    /// Sets the indexes of the fields to read, in ascending order.
    mutating func want(_ indexes: [Int]) { wanted = indexes }

    /// Finds the values of the fields in an item, for later calls of `result`. Returns false if the item is not a JSON
    /// object.
    mutating func read(_ json: UnsafeRawBufferPointer) -> Bool {
        if wanted.isEmpty { return true }
        for index in wanted { cells[index] = Cell() }
        guard (try? tape.parse(json)) != nil else { return false }
        return tape.withRoot(in: json) { item in
            guard item.kind == .object else { return false }
            // Larder writes the members in the order of the fields. Incomplete items lack some of them.
            var next = 0
            var skipped = false
            for member in item.members {
                if next == wanted.count { break }
                if Self.isKey(member.key, of: fields[wanted[next]]) {
                    set(member.value, wanted[next])
                    next += 1
                } else if wanted[next...].dropFirst().contains(where: { Self.isKey(member.key, of: fields[$0]) }) {
                    skipped = true
                    break
                }
            }
            guard skipped else { return true }
            for member in item.members {
                for index in wanted where Self.isKey(member.key, of: fields[index]) { set(member.value, index) }
            }
            return true
        }
    }

    private static func isKey(_ key: JSONView, of field: FieldDefinition) -> Bool {
        let token = key.token
        // The encoded key ends with a colon.
        guard token.count == field.key.count - 1 else { return false }
        return field.key.withUnsafeBytes { known in
            guard let left = token.baseAddress, let right = known.baseAddress else { return false }
            return memcmp(left, right, token.count) == 0
        }
    }

    private mutating func set(_ value: JSONView, _ index: Int) {
        let isEscaped = value.kind == .string && value.plainContents == nil
        cells[index] = Cell(
            kind: value.kind, start: value.offset, count: value.token.count, decoded: isEscaped ? value.string : nil)
    }

    /// Passes the value of a field to SQLite.
    func result(_ index: Int, as kind: QueryColumn.Kind, of json: UnsafeRawBufferPointer, to context: OpaquePointer?) {
        let cell = cells[index]
        let token = UnsafeRawBufferPointer(rebasing: json[cell.start..<cell.start + cell.count])
        switch (cell.kind, kind) {
        case (.null, _): sqlite3_result_null(context)
        case (_, .json): QueryResult.text(token, to: context)
        case (.true, _): sqlite3_result_int(context, 1)
        case (.false, _): sqlite3_result_int(context, 0)
        case (.number, .real): QueryResult.real(token, to: context)
        case (.number, _): QueryResult.integer(token, to: context)
        case (.string, .date):
            if !QueryDate.result(UnsafeRawBufferPointer(rebasing: token.dropFirst().dropLast()), to: context) {
                string(cell, token, to: context)
            }
        case (.string, _): string(cell, token, to: context)
        case (.array, _), (.object, _): QueryResult.text(token, to: context)
        }
    }

    private func string(_ cell: Cell, _ token: UnsafeRawBufferPointer, to context: OpaquePointer?) {
        if let decoded = cell.decoded { return QueryResult.text(decoded, to: context) }
        QueryResult.text(UnsafeRawBufferPointer(rebasing: token.dropFirst().dropLast()), to: context)
    }
}
