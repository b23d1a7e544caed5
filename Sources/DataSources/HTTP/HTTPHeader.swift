/// One header field (RFC 9110, section 5). Names are compared without regard to case.
public struct HTTPHeader: Equatable, Sendable {
    /// The field's name as written.
    public let name: String
    /// The field's value.
    public let value: String

    /// A header field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTPHeader] {
    /// The value of the first field of that name; nil where there is none.
    public subscript(name: String) -> String? {
        let wanted = name.lowercased()
        return first { $0.name.lowercased() == wanted }?.value
    }
}
