import CYAML
import JSON

/// The reason why a YAML document cannot be read, and the position of the fault.
struct YAMLFault: Error, Equatable {
    let reason: String
    /// The line number. Both `line` and `column` start at 1.
    let line: Int
    let column: Int

    var description: String { "\(reason) at line \(line), column \(column)" }
}

/// One event that libyaml reports while it parses a YAML document.
struct YAMLEvent {
    enum Kind: Equatable {
        case scalar, alias, sequenceStart, sequenceEnd, mappingStart, mappingEnd, documentStart, streamEnd, other
    }

    let kind: Kind
    /// The content of a scalar in UTF-8; empty for an event that is not a scalar.
    var text: [UInt8] = []
    /// Whether the scalar is plain: neither quoted nor a block scalar.
    var isPlain = false
    /// The tag of the node as a URI; nil if the node has no tag.
    var tag: String?
    /// The anchor that a node declares, or the anchor to which an alias refers.
    var anchor: String?
    let line: Int
    let column: Int
}

/// Reads the events of a YAML document with libyaml.
final class YAMLEvents {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeBufferPointer<UInt8>

    /// Creates a reader.
    ///
    /// - Parameter text: the YAML document. Its memory must outlive the reader.
    /// - Throws: `YAMLFault` if there is not enough memory.
    init(_ text: UnsafeBufferPointer<UInt8>) throws(YAMLFault) {
        guard let parser = larder_yaml_open(text.baseAddress, text.count) else { throw Self.outOfMemory }
        self.parser = parser
        self.text = text
    }

    deinit { larder_yaml_close(parser) }

    /// Reads the next event.
    ///
    /// - Throws: `YAMLFault` at the first position with invalid YAML.
    func next() throws(YAMLFault) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) != 0 else { throw fault }
        defer { yaml_event_delete(&event) }
        let mark = event.start_mark
        func made(_ kind: YAMLEvent.Kind) -> YAMLEvent {
            YAMLEvent(kind: kind, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
        }
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            var read = made(.scalar)
            read.text = Array(UnsafeBufferPointer(start: scalar.value, count: scalar.length))
            read.isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            (read.tag, read.anchor) = (Self.string(scalar.tag), Self.string(scalar.anchor))
            return read
        case YAML_ALIAS_EVENT:
            var read = made(.alias)
            read.anchor = Self.string(event.data.alias.anchor)
            return read
        case YAML_SEQUENCE_START_EVENT:
            var read = made(.sequenceStart)
            read.anchor = Self.string(event.data.sequence_start.anchor)
            return read
        case YAML_MAPPING_START_EVENT:
            var read = made(.mappingStart)
            read.anchor = Self.string(event.data.mapping_start.anchor)
            return read
        case YAML_SEQUENCE_END_EVENT: return made(.sequenceEnd)
        case YAML_MAPPING_END_EVENT: return made(.mappingEnd)
        case YAML_DOCUMENT_START_EVENT: return made(.documentStart)
        case YAML_STREAM_END_EVENT: return made(.streamEnd)
        default: return made(.other)
        }
    }

    private static let outOfMemory = YAMLFault(reason: "not enough memory to read the YAML", line: 1, column: 1)

    private static func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        text.map { String(cString: $0) }
    }

    /// The error that libyaml reports. For an encoding error, libyaml reports only a byte offset, from which the line
    /// and the column are computed.
    private var fault: YAMLFault {
        guard let problem = parser.pointee.problem else { return Self.outOfMemory }
        let reason = String(cString: problem)
        let end = JSONPosition(of: text.count, in: text)
        let mark = parser.pointee.problem_mark
        if parser.pointee.error == YAML_READER_ERROR {
            let position = JSONPosition(of: Int(parser.pointee.problem_offset), in: text)
            return YAMLFault(reason: reason, line: position.line, column: position.column)
        }
        guard Int(mark.line) < end.line else { return YAMLFault(reason: reason, line: end.line, column: end.column) }
        return YAMLFault(reason: reason, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }
}
