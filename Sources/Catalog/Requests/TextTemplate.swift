/// A string with placeholders: `{id}`, `{ids}`, and the names of the scope parameters. In a percent-encoded string,
/// `{+id}` leaves reserved characters of the value unchanged (RFC 6570).
public struct TextTemplate: Equatable, Sendable {
    /// A piece of the template: constant text or a placeholder.
    enum Piece: Equatable, Sendable {
        case text(String)
        case place(String, keepsReserved: Bool)
    }

    /// The text of the template. The `${...}` references in this text are already replaced, but the placeholders are
    /// not.
    public let text: String
    let pieces: [Piece]

    /// The names of the placeholders.
    let places: [String]

    /// Creates a template without placeholders.
    public init(_ text: String) {
        self.text = text
        pieces = [.text(text)]
        places = []
    }

    /// Parses a string with placeholders. Braces around an unknown name are literal characters.
    init(_ text: String, places known: [String]) {
        self.text = text
        var pieces: [Piece] = []
        var rest = text[...]
        var plain = ""
        while let open = rest.firstIndex(of: "{") {
            plain += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}") else { break }
            let inner = rest[rest.index(after: open)..<close]
            let name = inner.hasPrefix("+") ? inner.dropFirst() : inner
            guard known.contains(String(name)) else {
                plain += "{"
                rest = rest.dropFirst()
                continue
            }
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
            pieces.append(.place(String(name), keepsReserved: inner.hasPrefix("+")))
            rest = rest[rest.index(after: close)...]
        }
        plain += rest
        if !plain.isEmpty || pieces.isEmpty { pieces.append(.text(plain)) }
        self.pieces = pieces
        places = pieces.compactMap { if case .place(let name, _) = $0 { name } else { nil } }
    }

    /// Returns the names in braces that are not known placeholders, such as `idd` for `{idd}`.
    static func words(in text: String, notAmong known: [String]) -> [String] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { piece in
            guard let close = piece.firstIndex(of: "}") else { return nil }
            let word = piece[..<close].drop { $0 == "+" }
            let isWord = !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            return isWord && !known.contains(String(word)) ? String(word) : nil
        }
    }

    /// Returns the string with its placeholders replaced.
    ///
    /// - Parameter encode: encodes one value. For `{ids}`, `encode` is called once for each id.
    func filled(_ values: PlaceholderValues, _ encode: (_ value: String, _ keepsReserved: Bool) -> String) -> String {
        var out = ""
        for piece in pieces {
            switch piece {
            case .text(let text): out += text
            case .place(let name, let keepsReserved):
                for (index, value) in values.texts(of: name).enumerated() {
                    if index > 0 { out += encode(values.join, true) }
                    out += encode(value, keepsReserved)
                }
            }
        }
        return out
    }

    /// Returns the string with its placeholders replaced. The values are not encoded.
    func filled(_ values: PlaceholderValues) -> String { filled(values) { value, _ in value } }
}
