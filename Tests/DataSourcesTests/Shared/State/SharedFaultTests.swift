import TestSupport
import Testing

@testable import DataSources
@testable import Redis

/// Tests how failures of the shared level are classified.
@Suite(.limited) struct SharedFaultTests {
    private static let reasons: [(reason: String, fault: SharedFault?)] = [
        ("SSL certificate problem: unable to get local issuer certificate", .certificate),
        ("SSL: no alternative certificate subject name matches target host name 'localhost'", .certificate),
        ("error setting certificate verify locations:  CAfile: none CApath: none", .certificate),
        ("OpenSSL/3.0.17: error:0A00010B:SSL routines::wrong version number", .tls),
        ("Could not resolve host: nowhere.invalid", .unknownHost),
        ("Could not resolve host: certificate.within.invalid", .unknownHost),
        ("cannot connect: Connection refused", .nobody), ("cannot connect: No such file or directory", .nobody),
        ("no connection within 100 ms", .slow), ("the server is not a Redis server; check its address", .noRedis),
        ("out of memory", nil), ("the Redis server closed the connection; see its log", nil),
    ]

    @Test(arguments: reasons) func connectionFailureDeterminesTheKindOfRedisFault(reason: String, fault: SharedFault?) {
        #expect(SharedFault(reason: reason) == fault)
    }

    /// The reasons come from `RedisGreeting`.
    @Test(arguments: [
        ("WRONGPASS", SharedFault.login), ("NOAUTH", .login), ("NOPERM", .right), ("NOPROTO", .noRedis),
        ("DENIED", .closed), ("MASTERDOWN", .replica), ("MOVED", .cluster),
    ]) func errorReplyToHelloDeterminesTheReportedFault(code: String, fault: SharedFault) throws {
        let greeting = RedisGreeting(url: try RedisURL("redis://cache"))
        let refusal = try #require(greeting.refusal([.error(code: code, message: "\(code) so it is")]))
        #expect(SharedFault(reason: refusal.reason) == fault)
    }

    @Test(arguments: [
        ("READONLY", SharedFault.replica), ("OOM", .memory), ("CROSSSLOT", .cluster), ("NOPERM", .right),
        ("NOAUTH", .login),
    ]) func errorReplyToACommandDeterminesTheReportedFault(code: String, fault: SharedFault) {
        #expect(SharedFault(RedisErrorReply("\(code) so it is".utf8)) == fault)
        #expect(SharedFault(RedisErrorReply("ERR so it is".utf8)) == nil)
    }
}
