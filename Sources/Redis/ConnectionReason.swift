/// The error of libcurl for a failed connection, without text from the server's certificate.
enum ConnectionReason {
    /// Returns the text without the names that it quotes, such as those of a certificate. The host is not removed.
    static func text(_ reported: String, host: String) -> String {
        guard let quote = reported.firstIndex(of: "'"), reported[quote...] != "'\(host)'" else { return reported }
        return reported[..<quote] + "'...'"
    }
}
