import JSON

/// An item's id as a client gives it.
public struct IdentifierParam: Equatable, Sendable {
    /// An integer's digits, or the string.
    public let text: String

    /// An integer or a string; nil for anything else.
    init?(_ view: JSONView) {
        if let text = view.string {
            self.text = text
        } else if let digits = view.number, digits.utf8.allSatisfy({ $0 == 0x2D || ($0 >= 0x30 && $0 <= 0x39) }) {
            text = digits
        } else {
            return nil
        }
    }
}
