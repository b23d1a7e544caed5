import JSON

/// The text by which an item is found: every string in it, at any depth, but for its URLs.
struct SearchText {
    private var tape = JSONTape()

    /// The strings in their order, each on a line of its own; empty for what is no JSON.
    mutating func text(of json: [UInt8]) -> String {
        var text = ""
        json.withUnsafeBytes { bytes in
            // Where this fails the tape is empty, and so is the value.
            try? tape.parse(bytes)
            tape.withRoot(in: bytes) { Self.collect($0, into: &text) }
        }
        return text
    }

    /// No deeper than the parser goes.
    private static func collect(_ view: JSONView, into text: inout String) {
        switch view.kind {
        case .string:
            guard let string = view.string, !isURL(string) else { return }
            if !text.isEmpty { text += "\n" }
            text += string
        case .array: for element in view.elements { collect(element, into: &text) }
        case .object: for member in view.members { collect(member.value, into: &text) }
        case .null, .true, .false, .number: break
        }
    }

    private static func isURL(_ string: String) -> Bool {
        string.utf8.starts(with: "https://".utf8) || string.utf8.starts(with: "http://".utf8)
    }
}
