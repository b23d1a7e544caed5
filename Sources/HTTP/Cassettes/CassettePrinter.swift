import JSON

/// Writes JSON with an indentation of two spaces and one member per line.
struct CassettePrinter {
    private var writer = JSONWriter()
    private var depth = 0

    /// The bytes written so far.
    var bytes: [UInt8] { writer.bytes }

    /// Writes a JSON value and a newline.
    mutating func print(_ value: JSONValue) {
        write(value)
        writer.append("\n")
    }

    private mutating func write(_ value: JSONValue) {
        switch value {
        case .object(let object) where !object.members.isEmpty:
            writer.append("{")
            writeLines(object.members) { printer, member in
                printer.writeScalar(.string(member.key))
                printer.writer.append(": ")
                printer.write(member.value)
            }
            writer.append("}")
        case .array(let elements) where !elements.isEmpty:
            writer.append("[")
            writeLines(elements) { $0.write($1) }
            writer.append("]")
        default:
            writeScalar(value)
        }
    }

    private mutating func writeLines<Element>(
        _ elements: [Element], _ write: (inout CassettePrinter, Element) -> Void
    ) {
        depth += 1
        for (index, element) in elements.enumerated() {
            if index > 0 { writer.append(",") }
            breakLine()
            write(&self, element)
        }
        depth -= 1
        breakLine()
    }

    private mutating func breakLine() {
        writer.append("\n")
        for _ in 0..<depth { writer.append("  ") }
    }

    /// Writes a string, number, boolean or null.
    // A separate writer is used, because this printer adds the commas itself.
    private mutating func writeScalar(_ value: JSONValue) {
        var scalar = JSONWriter()
        scalar.value(value)
        writer.append(scalar.bytes)
    }
}
