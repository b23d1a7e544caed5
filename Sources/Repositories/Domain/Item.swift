/// A thing of a resource: its id and its fields.
public struct Item: Equatable, Sendable {
    /// The id as text: an integer's digits, or a string.
    public let id: String
    /// The fields as one compact JSON object, in the catalog's order.
    public let json: [UInt8]
}
