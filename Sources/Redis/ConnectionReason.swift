/// Shortens libcurl's error message for a failed connection, so that it contains no text from the server's certificate.
enum ConnectionReason {
    /// Returns libcurl's message up to the first quoted name, because this name may come from a certificate. If the
    /// message ends with the host's quoted name, returns the whole message.
    static func text(_ reported: String, host: String) -> String {
        guard let quote = reported.firstIndex(of: "'"), reported[quote...] != "'\(host)'" else { return reported }
        return reported[..<quote] + "'...'"
    }
}
