/// The supported versions of the Model Context Protocol.
public enum MCPVersion: String, CaseIterable, Sendable {
    case november2024 = "2024-11-05"
    case march2025 = "2025-03-26"
    case june2025 = "2025-06-18"
    case november2025 = "2025-11-25"
    case july2026 = "2026-07-28"

    /// Whether clients of this version send no handshake. Each request then contains the version and the client's
    /// capabilities.
    public var isStateless: Bool { self == .july2026 }

    /// Whether the version defines `structuredContent`, `outputSchema` and resource links.
    public var hasStructuredContent: Bool { self != .november2024 && self != .march2025 }

    /// The protocol versions without a handshake.
    public static let stateless = allCases.filter(\.isStateless)

    /// Returns the protocol version for the reply to `initialize`. Returns the requested version if it has a handshake,
    /// and otherwise the newest version with a handshake.
    public static func answer(to wanted: String) -> MCPVersion {
        MCPVersion(rawValue: wanted).flatMap { $0.isStateless ? nil : $0 } ?? .november2025
    }
}
