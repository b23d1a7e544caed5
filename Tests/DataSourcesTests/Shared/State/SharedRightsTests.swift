import System
import TestSupport
import Testing

@testable import DataSources

/// When it is looked which rights are missing, and what is told of them.
@Suite(.limited) struct SharedRightsTests {
    private let clock = ClockMock()
    private let server: RedisServerDouble
    private let condition: SharedCondition
    private let faults = FaultRecorder()

    init() throws {
        server = RedisServerDouble(RedisData(clock: clock))
        condition = SharedCondition(try RedisURL("redis://cache"), clock: clock, onFault: faults.record)
    }

    private static let refusal = RESPValue.error(code: "NOPERM", message: "NOPERM so it is")

    private func rights(writes: Bool = true) -> SharedRights {
        SharedRights(server, condition, names: SharedMachine.names, writes: writes)
    }

    @Test func nobodyLooksBeforeOneIsMissing() {
        let rights = rights()
        rights.lookAgain()
        condition.note([.null, .error(code: "OOM", message: "OOM")], of: .writing)
        #expect(server.commands.isEmpty)
        condition.note([.null, Self.refusal], of: .writing)
        #expect(server.verbs == ["MGET", "XREAD", "XRANGE", "XREVRANGE", "tryRights"])
    }

    @Test func whoOnlyReadsNeedsNoScripts() async {
        await rights(writes: false).probe()
        #expect(server.verbs == ["MGET", "XREAD", "XRANGE", "XREVRANGE"])
        #expect(condition.refusals == ServerRefusals())
    }

    /// What a server says besides is not shown.
    @Test func allAreToldUntilNoneIsMissing() {
        let rights = rights()
        server.answer {
            switch $0.verb {
            case "XRANGE": Self.refusal
            case "tryRights": .array(["time", "get", "hunter2"].map { .text(Array($0.utf8)) } + [.integer(1)])
            default: nil
            }
        }
        condition.noteRights([Self.refusal])
        #expect(condition.refusals.missing == ["+xrange", "+get", "+time"])
        #expect(faults.parts.last?.reason.contains("lacks +xrange, +get and +time;") == true)
        server.answer { _ in nil }
        rights.lookAgain()
        #expect(condition.refusals == ServerRefusals())
        let count = server.commands.count
        rights.lookAgain()
        #expect(server.commands.count == count, "nothing is missing any more")
    }

    /// Where nothing is found, one look follows each time that it is looked for changes, however much is refused.
    @Test func whatIsNotFoundIsNotLookedForAllTheTime() {
        let rights = rights()
        for _ in 0..<5 { condition.noteRights([Self.refusal]) }
        #expect(server.count("tryRights") == 1)
        rights.lookAgain()
        rights.lookAgain()
        #expect(server.count("tryRights") == 2)
    }

    @Test func keysAreNamedAsTheACLDoes() async {
        let rights = rights()
        server.answer { _ in
            .error(code: "NOPERM", message: "NOPERM this user has no permissions to access one of the keys used")
        }
        await rights.probe()
        #expect(condition.refusals.missing == ["~larder:1:ci:*"])
    }

    @Test func whatTheScriptsNeedIsTried() {
        for command in SharedScript.commands {
            #expect(SharedScript.tryRights.contains("try('\(command)'"), "\(command)")
        }
    }
}
