/// Removes text of the server's certificate from libcurl's error message for a failed connection.
enum ConnectionReason {
    /// Returns the message without quoted names, such as those of a certificate. The quoted host remains.
    static func text(_ reported: String, host: String) -> String {
        guard let quote = reported.firstIndex(of: "'"), reported[quote...] != "'\(host)'" else { return reported }
        return reported[..<quote] + "'...'"
    }
}
