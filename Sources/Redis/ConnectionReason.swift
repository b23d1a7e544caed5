/// Shortens libcurl's error message for a failed connection, so that it contains no text from the server's certificate.
enum ConnectionReason {
    /// Returns libcurl's message without the text after the first quotation mark, because that text may come from a
    /// certificate. Returns the whole message if that text is only the name of the host.
    static func text(_ reported: String, host: String) -> String {
        guard let quote = reported.firstIndex(of: "'"), reported[quote...] != "'\(host)'" else { return reported }
        return reported[..<quote] + "'...'"
    }
}
