import JSON

/// An item's id as a client gives it.
public struct IdentifierParam: Equatable, Sendable {
    /// An integer's digits, or the string.
    public let text: String

    /// An integer or a string; nil for anything else.
    init?(_ view: JSONView) {
        switch view.kind {
        case .string: text = view.string ?? ""
        case .number where Self.isInteger(view.token): text = view.number ?? ""
        default: return nil
        }
    }

    /// Whether a number is written without fraction and exponent.
    private static func isInteger(_ token: UnsafeRawBufferPointer) -> Bool {
        for byte in token where byte != UInt8(ascii: "-") && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            return false
        }
        return true
    }
}
