import JSON

/// A value in a draft catalog. Its objects can contain comments.
indirect enum DraftValue: Equatable {
    case json(JSONValue)
    case object([DraftLine])
    case array([DraftValue])
    /// A string that refers to a secret, such as `${env:TOKEN}`. The reference is never copied from an API document or
    /// an answer.
    case secret(String)

    static func text(_ text: String) -> DraftValue { .json(.string(text)) }
}

/// A member or a comment in an object of a draft catalog.
enum DraftLine: Equatable {
    /// A member of the object, with an optional note that explains the member's value.
    case member(String, DraftValue, note: String? = nil)
    case comment(String)

    static func text(_ key: String, _ text: String, note: String? = nil) -> DraftLine {
        .member(key, .text(text), note: note)
    }

    static func flag(_ key: String, _ value: Bool, note: String? = nil) -> DraftLine {
        .member(key, .json(.bool(value)), note: note)
    }
}

/// Writes a draft catalog as JSON with comments. Short values are on one line. A member's note is written after the
/// member if it fits on the line, and otherwise above the member.
struct DraftPrinter {
    private static let width = 120
    private static let longestComment = 600

    private var out = ""

    /// Returns the JSON text of an object. The lines of `header` become comments above the object.
    static func text(_ lines: [DraftLine], under header: [String] = []) -> String {
        var printer = DraftPrinter()
        for comment in header { printer.comment(comment, "") }
        printer.out += "{\n"
        printer.add(lines, "  ")
        printer.out += "}\n"
        return printer.out
    }

    /// Returns the JSON text of an object's members without the braces, for pasting into a catalog.
    static func text(of lines: [DraftLine]) -> String {
        var printer = DraftPrinter()
        printer.add(lines, "")
        return printer.out
    }

    /// Returns the JSON text of an object's members on one line, without the braces and the last comma.
    static func line(of lines: [DraftLine]) -> String {
        String(text(of: lines).split(whereSeparator: \.isWhitespace).joined(separator: " ").dropLast())
    }

    private mutating func add(_ lines: [DraftLine], _ indent: String) {
        for line in lines {
            switch line {
            case .comment(let text): comment(text, indent)
            case .member(let key, let value, let note):
                add(value, "\(indent)\(JSONValue.string(key).text): ", note.map(Self.oneLine), indent)
            }
        }
    }

    private mutating func add(_ value: DraftValue, _ head: String, _ note: String?, _ indent: String) {
        let room = Self.width - head.utf8.count - 1
        if let text = Self.inline(value, within: value.isLeaf ? .max : room) {
            let line = head + text + ","
            switch note {
            case let note? where line.utf8.count + 5 + note.utf8.count <= Self.width: out += "\(line)  // \(note)\n"
            case let note?:
                comment(note, indent)
                out += line + "\n"
            case nil: out += line + "\n"
            }
            return
        }
        if let note { comment(note, indent) }
        switch value {
        case .json(let json): out += head + json.text + ",\n"
        case .secret(let text): out += head + JSONValue.string(text).text + ",\n"
        case .object(let lines):
            out += head + "{\n"
            add(lines, indent + "  ")
            out += indent + "},\n"
        case .array(let values):
            out += head + "[\n"
            for value in values { add(value, indent + "  ", nil, indent + "  ") }
            out += indent + "],\n"
        }
    }

    /// Appends a comment. Long comments are wrapped to the line width.
    private mutating func comment(_ text: String, _ indent: String) {
        var line = indent + "//"
        for word in Self.oneLine(text).split(separator: " ") {
            if line.utf8.count + 1 + word.utf8.count > Self.width, line.utf8.count > indent.utf8.count + 2 {
                out += line + "\n"
                line = indent + "//"
            }
            line += " " + word
        }
        out += line + "\n"
    }

    /// Converts a string from an API to one line, because a line break would end the comment. Long strings are
    /// truncated.
    private static func oneLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        var count = 0
        var endsWithBlank = true
        for scalar in text.unicodeScalars {
            let isBlank =
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator, .format: true
                default: scalar == " "
                }
            if isBlank && endsWithBlank { continue }
            // The rest is ignored, because a title may be as long as the document.
            if count == longestComment { return String(line) + " ..." }
            line.append(isBlank ? " " : scalar)
            endsWithBlank = isBlank
            count += 1
        }
        if endsWithBlank, count > 0 { line.removeLast() }
        return String(line)
    }

    /// Returns a draft value as one line of JSON. Nil if the value contains comments, or if the line would be too long.
    private static func inline(_ value: DraftValue, within room: Int) -> String? {
        var text: String
        switch value {
        case .json(let json): text = spaced(json)
        case .secret(let secret): text = JSONValue.string(secret).text
        case .array(let values):
            text = "["
            for (index, value) in values.enumerated() {
                guard let inner = inline(value, within: room - text.utf8.count) else { return nil }
                text += (index > 0 ? ", " : "") + inner
            }
            text += "]"
        case .object(let lines):
            text = "{"
            for (index, line) in lines.enumerated() {
                guard case .member(let key, let value, nil) = line,
                    let inner = inline(value, within: room - text.utf8.count)
                else { return nil }
                text += (index > 0 ? ", " : "") + "\(JSONValue.string(key).text): \(inner)"
            }
            text += "}"
        }
        return text.utf8.count <= room ? text : nil
    }

    private static func spaced(_ json: JSONValue) -> String {
        switch json {
        case .array(let values): "[\(values.map(spaced).joined(separator: ", "))]"
        case .object(let object):
            "{\(object.members.map { "\(JSONValue.string($0.key).text): \(spaced($0.value))" }.joined(separator: ", "))}"
        default: json.text
        }
    }
}

extension DraftValue {
    /// Whether the value is always written on one line.
    fileprivate var isLeaf: Bool {
        switch self {
        case .json, .secret: true
        case .object, .array: false
        }
    }
}
