/// A text with places: `{id}`, `{ids}`, and the names of the scope. `{+id}` (RFC 6570) keeps reserved characters as
/// they are where the text is percent-encoded.
public struct TextTemplate: Equatable, Sendable {
    /// A piece of it.
    enum Piece: Equatable, Sendable {
        case text(String)
        case place(String, keepsReserved: Bool)
    }

    /// The text as written, what stands for `${...}` filled in.
    public let text: String
    let pieces: [Piece]

    /// The names of its places.
    let places: [String]

    /// A text without places.
    public init(_ text: String) {
        self.text = text
        pieces = [.text(text)]
        places = []
    }

    /// A text with those places whose names are known; other braces are a part of the text.
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

    /// What stands between braces and is no place, though it looks like one: a single word.
    static func words(in text: String, notAmong known: [String]) -> [String] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { piece in
            guard let close = piece.firstIndex(of: "}") else { return nil }
            let word = piece[..<close].drop { $0 == "+" }
            let isWord = !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            return isWord && !known.contains(String(word)) ? String(word) : nil
        }
    }

    /// The text with its places filled.
    ///
    /// - Parameter encode: makes a value fit for where it stands; of several, each by itself.
    func filled(_ values: PlaceValues, _ encode: (_ value: String, _ keepsReserved: Bool) -> String) -> String {
        var out = ""
        for piece in pieces {
            switch piece {
            case .text(let text): out += text
            case .place(let name, let keepsReserved):
                out += values.texts(of: name).map { encode($0, keepsReserved) }.joined(
                    separator: encode(values.join, true))
            }
        }
        return out
    }

    /// The text with its places filled, as they are.
    func filled(_ values: PlaceValues) -> String { filled(values) { value, _ in value } }
}
