import JSON
import System
import TestSupport
import Testing

@testable import DataSources
@testable import RPCServer
@testable import Redis
@testable import larder

@Suite(.limited) struct DoctorFindingTests {
    @Test func doctorLinesAreAlignedInColumns() {
        #expect(DoctorFinding(.ok, "a", "b").line == "ok       a: b")
        #expect(DoctorFinding(.warning, "a", "b").line == "warning  a: b")
        #expect(DoctorFinding(.fault, "a", "b").line == "fault    a: b")
    }

    @Test func controlCharactersAreEscapedInADoctorLine() {
        #expect(DoctorFinding(.fault, "a", "b\nok       c\u{1B}[1m").line == #"fault    a: b\nok       c\u001b[1m"#)
    }

    @Test func jsonOfADoctorFindingKeepsControlCharacters() {
        #expect(
            DoctorFinding(.ok, "cache file", "x\n").json.text == #"{"kind":"ok","what":"cache file","message":"x\n"}"#)
    }

    /// Returns the finding for a shared level.
    ///
    /// - Parameters:
    ///   - reason: why the connection failed; nil if the connection works.
    ///   - refused: the purposes whose commands the server refuses.
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

    @Test func workingRedisServerIsReportedAsOK() {
        let found = Self.shared(.readwrite)
        #expect(found.kind == .ok)
        let head = "redis://cache (version 7.0.15), mode readwrite, namespace 'team'"
        #expect(found.message == "\(head): reading and writing work")
        #expect(Self.shared(.read).message.hasSuffix(": reading works"))
    }

    @Test func unreachableRedisServerIsReportedAsAFault() {
        let found = Self.shared(.read, reason: "connection refused")
        #expect(found.kind == .fault && found.message.contains("connection refused; larder works without"))
    }

    @Test func eachRedisFaultHasItsOwnHint() {
        var shared = SharedStatistics(url: "redis://cache", mode: .readwrite, namespace: "team")
        (shared.state, shared.reason) = (.failing, "a reason")
        #expect(DoctorSharedCheck.finding(shared).message.hasSuffix("each process fetches its own data"))
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

    @Test func passwordInTheRedisURLCausesAWarning() {
        let ofOption = DoctorSharedCheck.warning(passwordIn: "--shared")
        let ofVariable = DoctorSharedCheck.warning(passwordIn: "LARDER_SHARED")
        for found in [ofOption, ofVariable] {
            #expect(found.kind == .warning && found.message.contains("LARDER_SHARED_PASSWORD_FILE"))
        }
        #expect(ofOption.message.contains("--shared has a password") && ofOption.message.contains("other users"))
        #expect(ofVariable.message.hasPrefix("LARDER_SHARED has a password") && !ofVariable.message.contains("other"))
    }

    @Test func doctorStatesTheEffectOfARefusalByRedis() {
        let (readOnly, unused) = ("larder reads from the shared level", "larder works without the shared level")
        let refusals: [([ServerRefusals.Purpose], String)] = [
            ([.writing], readOnly), ([.leasing], readOnly), ([.reading], unused), ([.reading, .writing], unused),
        ]
        for (refused, consequence) in refusals {
            let found = Self.shared(.readwrite, refused: refused)
            #expect(found.kind == .fault && found.message.contains(consequence), "\(found.message)")
            #expect(found.message.contains("read-only replica"))
        }
    }
}
