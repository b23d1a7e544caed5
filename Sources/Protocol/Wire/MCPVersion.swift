/// The versions of the Model Context Protocol that are spoken.
public enum MCPVersion: String, CaseIterable, Sendable {
    case november2024 = "2024-11-05"
    case march2025 = "2025-03-26"
    case june2025 = "2025-06-18"
    case november2025 = "2025-11-25"
    case july2026 = "2026-07-28"

    /// Whether there is no handshake: each request says its version and what its client can do.
    public var isStateless: Bool { self == .july2026 }

    /// Those that each request names itself.
    public static let stateless = allCases.filter(\.isStateless)

    /// What answers a client's `initialize`: its own version where that is known, else the newest that has a handshake.
    public static func answer(to wanted: String) -> MCPVersion {
        MCPVersion(rawValue: wanted).flatMap { $0.isStateless ? nil : $0 } ?? .november2025
    }
}
