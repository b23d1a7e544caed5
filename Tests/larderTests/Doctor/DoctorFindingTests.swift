import JSON
import System
import TestSupport
import Testing

@testable import DataSources
@testable import RPCServer
@testable import Redis
@testable import larder

@Suite(.limited) struct DoctorFindingTests {
    @Test func theWordsStandInColumns() {
        #expect(DoctorFinding(.ok, "a", "b").line == "ok       a: b")
        #expect(DoctorFinding(.warning, "a", "b").line == "warning  a: b")
        #expect(DoctorFinding(.fault, "a", "b").line == "fault    a: b")
    }

    @Test func whatOthersSayStaysOnItsLine() {
        #expect(DoctorFinding(.fault, "a", "b\nok       c\u{1B}[1m").line == #"fault    a: b\nok       c\u001b[1m"#)
    }

    @Test func asJSON() {
        #expect(
            DoctorFinding(.ok, "cache file", "x\n").json.text == #"{"kind":"ok","what":"cache file","message":"x\n"}"#)
    }

    /// Of a level whose connection is so, and that refuses this.
    private static func shared(
        _ mode: SharedMode, reason: String? = nil, refused: [ServerRefusals.Purpose] = []
    ) -> DoctorFinding {
        var health = RedisHealth()
        (health.reason, health.wasReached, health.version) = (reason, reason == nil, reason == nil ? "7.0.15" : nil)
        var refusals = ServerRefusals()
        for purpose in refused {
            refusals.note([.error(code: "READONLY", message: "")], of: purpose, at: Timestamp(milliseconds: 0))
        }
        var shared = SharedStatistics(url: "redis://cache", mode: mode, namespace: "team")
        shared.note(health, refusals)
        return DoctorSharedCheck.finding(shared)
    }

    @Test func aServerThatDoesWhatItIsAskedForIsWell() {
        let found = Self.shared(.readwrite)
        #expect(found.kind == .ok)
        let head = "redis://cache (version 7.0.15), mode readwrite, namespace 'team'"
        #expect(found.message == "\(head): it can be read and written")
        #expect(Self.shared(.read).message.hasSuffix(": it can be read"))
    }

    @Test func aServerThatIsNotReachedIsAFault() {
        let found = Self.shared(.read, reason: "connection refused")
        #expect(found.kind == .fault && found.message.contains("connection refused; requests go on without it"))
    }

    @Test func eachKindOfFaultHasItsOwnHint() {
        var shared = SharedStatistics(url: "redis://cache", mode: .readwrite, namespace: "team")
        (shared.state, shared.reason) = (.failing, "so it is")
        #expect(DoctorSharedCheck.finding(shared).message.hasSuffix("each process fetches for itself"))
        var hints: Set<String> = []
        for fault in SharedFault.allCases {
            shared.fault = fault
            hints.insert(DoctorSharedCheck.finding(shared).message)
        }
        #expect(hints.count == SharedFault.allCases.count)
        (shared.fault, shared.missing) = (.right, ["+get", "+del"])
        #expect(DoctorSharedCheck.finding(shared).message.contains("ACL SETUSER"))
        #expect(DoctorSharedCheck.finding(shared).message.contains("+get +del"))
    }

    @Test func passwordInTheURLIsAWarning() {
        let ofOption = DoctorSharedCheck.warning(passwordIn: "--shared")
        let ofVariable = DoctorSharedCheck.warning(passwordIn: "LARDER_SHARED")
        for found in [ofOption, ofVariable] {
            #expect(found.kind == .warning && found.message.contains("LARDER_SHARED_PASSWORD_FILE"))
        }
        #expect(ofOption.message.contains("--shared has a password") && ofOption.message.contains("other users"))
        #expect(ofVariable.message.hasPrefix("LARDER_SHARED has a password") && !ofVariable.message.contains("other"))
    }

    @Test func whatARefusalMeansIsSaid() {
        let refusals: [([ServerRefusals.Purpose], String)] = [
            ([.writing], "what others have stored is used"), ([.leasing], "what others have stored is used"),
            ([.reading], "requests go on without it"),
            ([.reading, .writing], "requests go on without it"),
        ]
        for (refused, consequence) in refusals {
            let found = Self.shared(.readwrite, refused: refused)
            #expect(found.kind == .fault && found.message.contains(consequence), "\(found.message)")
            #expect(found.message.contains("read-only replica"))
        }
    }
}
