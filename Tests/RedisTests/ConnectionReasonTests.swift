import TestSupport
import Testing

@testable import Redis

/// Messages do not contain a certificate's names, which the server chooses.
@Suite(.limited) struct ConnectionReasonTests {
    @Test(arguments: [
        ("Connection refused", "Connection refused"),
        ("SSL: no alternative certificate subject name matches target host name 'cache'", nil),
        (
            "SSL: certificate subject name 'hunter2' does not match target host name 'cache'",
            "SSL: certificate subject name '...'"
        ),
        (
            "SSL: certificate subject name 'a'hunter2'b' does not match target host name 'cache'",
            "SSL: certificate subject name '...'"
        ),
        ("subject 'cache' and 'hunter2'", "subject '...'"),
        ("ends with '", "ends with '...'"),
    ]) func connectionErrorQuotesOnlyTheHost(_ reported: String, _ shown: String?) {
        #expect(ConnectionReason.text(reported, host: "cache") == shown ?? reported)
    }
}
