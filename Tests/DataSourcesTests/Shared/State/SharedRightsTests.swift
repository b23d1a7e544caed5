import Mocks
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Redis

/// Tests the checks that find missing permissions on the Redis server, and their reports.
@Suite(.limited) struct SharedRightsTests {
    private let clock = ClockMock()
    private let server: RedisServerDouble
    private let condition: SharedHealthMonitor
    private let faults = FaultRecorder()
    private let timer = TimerMock()

    init() throws {
        server = RedisServerDouble(RedisData(clock: clock))
        condition = SharedHealthMonitor(try RedisURL("redis://cache"), clock: clock, onFault: faults.record)
    }

    private static let refusal = RESPValue.error(code: "NOPERM", message: "NOPERM so it is")

    private func rights(writes: Bool = true) -> SharedRights {
        SharedRights(server, condition, names: SharedMachine.names, writes: writes, timer: timer)
    }

    @Test func refusedCommandStartsAPermissionCheck() {
        let rights = rights()
        condition.note([.null, .error(code: "OOM", message: "OOM")], of: .writing)
        #expect(server.commands.isEmpty)
        condition.note([.null, Self.refusal], of: .writing)
        #expect(server.verbs == ["MGET", "tryRights"])
        withExtendedLifetime(rights) {}
    }

    @Test func sharedReadModeRequiresNoScriptPermissions() async {
        await rights(writes: false).probe()
        #expect(server.verbs == ["MGET"])
        #expect(condition.refusals == ServerRefusals())
    }

    /// Messages do not show names in the server's reply that are not names of permissions.
    @Test func permissionChecksRepeatUntilNoPermissionIsMissing() {
        let rights = rights()
        server.answer {
            switch $0.verb {
            case "MGET": Self.refusal
            case "tryRights": .array(["time", "get", "hunter2"].map { .text(Array($0.utf8)) } + [.integer(1)])
            default: nil
            }
        }
        condition.noteRights([Self.refusal])
        #expect(condition.refusals.missing == ["+mget", "+get", "+time"])
        #expect(faults.parts.last?.reason.contains("lacks +mget, +get and +time;") == true)
        for _ in 0..<2 { timer.advance(milliseconds: 1000) }
        #expect(server.count("tryRights") == 3)
        server.answer { _ in nil }
        timer.advance(milliseconds: 1000)
        #expect(condition.refusals == ServerRefusals())
        let count = server.commands.count
        for _ in 0..<3 { timer.advance(milliseconds: 1000) }
        #expect(server.commands.count == count)
        withExtendedLifetime(rights) {}
    }

    /// A refused command starts at most one permission check a second, even if no permission is missing.
    @Test func permissionChecksAreAtLeastASecondApart() {
        let rights = rights()
        for _ in 0..<5 { condition.noteRights([Self.refusal]) }
        #expect(server.count("tryRights") == 1)
        timer.advance(milliseconds: 1000)
        for _ in 0..<5 { condition.noteRights([Self.refusal]) }
        #expect(server.count("tryRights") == 2)
        withExtendedLifetime(rights) {}
    }

    @Test func missingKeyPermissionsAreNamedInACLSyntax() async {
        let rights = rights()
        server.answer { _ in
            .error(code: "NOPERM", message: "NOPERM this user has no permissions to access one of the keys used")
        }
        await rights.probe()
        #expect(condition.refusals.missing == ["~larder:1:ci:*"])
    }

    @Test func permissionCheckCoversAllScriptCommands() {
        for command in SharedScript.commands {
            #expect(SharedScript.tryRights.contains("try('\(command)'"), "\(command)")
        }
    }
}
