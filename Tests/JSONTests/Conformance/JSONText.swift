import Testing

/// A text that a JSON reader must accept, must refuse, or may accept or refuse (RFC 8259).
struct JSONText: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let verdict: Verdict

    enum Verdict: Sendable, Equatable {
        case mustAccept, mustRefuse
        /// The standard lets the reader accept or refuse the text. `accepts` states whether Larder accepts it.
        case open(accepts: Bool)
    }

    var testDescription: String { name }

    var isAccepted: Bool { verdict == .mustAccept || verdict == .open(accepts: true) }

    static func good(_ name: String, _ text: String) -> JSONText {
        JSONText(name: name, bytes: Array(text.utf8), verdict: .mustAccept)
    }

    static func good(_ name: String, bytes: [UInt8]) -> JSONText {
        JSONText(name: name, bytes: bytes, verdict: .mustAccept)
    }

    static func bad(_ name: String, _ text: String) -> JSONText {
        JSONText(name: name, bytes: Array(text.utf8), verdict: .mustRefuse)
    }

    static func bad(_ name: String, bytes: [UInt8]) -> JSONText {
        JSONText(name: name, bytes: bytes, verdict: .mustRefuse)
    }

    static func open(_ name: String, _ text: String, accepts: Bool) -> JSONText {
        JSONText(name: name, bytes: Array(text.utf8), verdict: .open(accepts: accepts))
    }

    static func open(_ name: String, bytes: [UInt8], accepts: Bool) -> JSONText {
        JSONText(name: name, bytes: bytes, verdict: .open(accepts: accepts))
    }

    /// Puts bytes into a string in an array: `["` and `"]` around them.
    static func inString(_ bytes: [UInt8]) -> [UInt8] { Array("[\"".utf8) + bytes + Array("\"]".utf8) }

    static let all = numbers + strings + encodings + arrays + objects + structures
}
