import JSON
import System

/// Formats a JSON value in YAML 1.2 block style. YAML 1.1 readers interpret the output in the same way, except that
/// numbers such as `1e5` become strings.
enum YAMLText {
    /// Returns a value as YAML, with a line break at the end.
    static func text(_ value: JSONValue) -> String { block(value, 0).joined(separator: "\n") + "\n" }

    /// Returns an element of a YAML sequence, with a line break at the end.
    static func element(_ value: JSONValue) -> String { element(value, 0).joined(separator: "\n") + "\n" }

    private static func block(_ value: JSONValue, _ margin: Int) -> [String] {
        let space = String(repeating: " ", count: margin)
        switch value {
        case .object(let object) where !object.members.isEmpty:
            return object.members.flatMap { member in
                let name = scalar(member.key)
                guard isNested(member.value) else { return ["\(space)\(name): \(flow(member.value))"] }
                return ["\(space)\(name):"] + block(member.value, margin + 2)
            }
        case .array(let elements) where !elements.isEmpty: return elements.flatMap { element($0, margin) }
        default: return [space + flow(value)]
        }
    }

    private static func element(_ value: JSONValue, _ margin: Int) -> [String] {
        let space = String(repeating: " ", count: margin)
        let lines = block(value, margin + 2)
        guard let first = lines.first else { return [] }
        return [space + "- " + first.dropFirst(margin + 2)] + lines.dropFirst()
    }

    private static func isNested(_ value: JSONValue) -> Bool {
        switch value {
        case .object(let object): !object.members.isEmpty
        case .array(let elements): !elements.isEmpty
        default: false
        }
    }

    private static func flow(_ value: JSONValue) -> String {
        if case .string(let text) = value { return scalar(text) }
        return value.text
    }

    /// Returns a string as a plain YAML scalar if all readers interpret this scalar as a string. Otherwise returns the
    /// string in double quotes, as in JSON.
    private static func scalar(_ text: String) -> String {
        guard let first = text.utf8.first, isLetter(first), text.utf8.allSatisfy(isPlain), text.utf8.last != space,
            !words.contains(text.lowercased())
        else { return JSONValue.string(text).text }
        return text
    }

    private static let space = UInt8(ascii: " ")
    /// The lowercase words that YAML 1.1 or 1.2 interprets as null or as a boolean.
    private static let words: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case _ where isLetter(byte): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), space: true
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "("),
            UInt8(ascii: ")"):
            true
        default: false
        }
    }
}
