/// How the characters of a text are encoded in which a secret stands.
enum SecretEncoding {
    /// ASCII and all that writes its characters in the same way: UTF-8, Latin-1.
    case ascii
    case utf16LittleEndian
    case utf16BigEndian

    /// A code unit of UTF-16 as bytes; in the first case those of a character of ASCII.
    func bytes(of unit: UInt16) -> [UInt8] {
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return switch self {
        case .ascii: [low]
        case .utf16LittleEndian: [low, high]
        case .utf16BigEndian: [high, low]
        }
    }

    /// What stands in a secret's place.
    var mark: [UInt8] { Redactor.mark.utf16.flatMap { bytes(of: $0) } }
}
