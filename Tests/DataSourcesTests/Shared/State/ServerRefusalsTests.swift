import System
import TestSupport
import Testing

@testable import DataSources
@testable import Redis

/// Tests how refusals of the Redis server are recorded and explained.
@Suite(.limited) struct ServerRefusalsTests {
    private let now = Timestamp(milliseconds: 5)

    private static func error(_ code: String) -> RESPValue { .error(code: code, message: "\(code) as it says") }

    private static let unnamed = "a right that the server does not name"

    private static let advice: [(code: String, purpose: ServerRefusals.Purpose, words: [String])] = [
        ("READONLY", .writing, ["does not let Larder write: ", "read-only replica", "--shared-mode read"]),
        ("NOPERM", .reading, ["let Larder read: ", "ACL lacks \(unnamed)", "docs/shared.md"]),
        ("MOVED", .reading, ["Redis Cluster", "(MOVED)"]),
        ("CROSSSLOT", .writing, ["Redis Cluster"]), ("MISCONF", .writing, ["disk"]),
        ("OOM", .writing, ["maxmemory-policy"]), ("ERR", .reading, ["the error ERR"]),
        ("HUNTER", .reading, ["an unknown error"]),
    ]

    @Test(arguments: advice)
    func refusalReasonContainsAdvice(code: String, purpose: ServerRefusals.Purpose, words: [String]) throws {
        var refusals = ServerRefusals()
        #expect(refusals.first == nil)
        let isDone = refusals.note([.integer(1), Self.error(code)], of: purpose, at: now)
        #expect(!isDone)
        let first = try #require(refusals.first)
        for word in words { #expect(first.reason.contains(word)) }
        #expect(!first.reason.contains("as it says"), "the server's text may contain a secret")
        #expect(first.since == now)
    }

    private static let rights: [(message: String, words: String)] = [
        ("NOPERM this user has no permissions to run the 'mget' command", "lacks +mget;"),
        ("NOPERM User larder has no permissions to run the 'xread' command", "lacks +xread;"),
        ("NOPERM ACL failure in script: User larder has no permissions to run the 'get' command", "lacks +get;"),
        ("ERR The user executing the script can't run this command or subcommand", "lacks \(unnamed);"),
        ("NOPERM this user has no permissions to run the 'hunter' command", "lacks \(unnamed);"),
        ("NOPERM User access-key has no permissions to run the 'get' command", "lacks +get;"),
        ("NOPERM this user has no permissions to access one of the keys used as arguments", "lacks the keys"),
        ("NOPERM No permissions to access a key", "lacks the keys"),
    ]

    @Test(arguments: rights) func missingPermissionIsNamed(message: String, words: String) {
        var refusals = ServerRefusals()
        let code = String(message.prefix { $0 != " " })
        refusals.note([.error(code: code, message: message)], of: .writing, at: now)
        #expect(refusals.first?.reason.contains(words) == true, "\(refusals)")
        #expect(refusals.first?.fault == .right && refusals.first?.reason.contains("hunter") == false)
    }

    @Test func missingPermissionsAreReportedBeforeRefusals() {
        var refusals = ServerRefusals()
        refusals.note([Self.error("NOPERM")], of: .writing, at: now)
        refusals.note(missing: ["+get", "+del"], at: now)
        #expect(refusals.first?.reason.contains("lacks +get and +del;") == true)
        #expect(refusals.ofWriting == refusals.first && refusals.ofReading == nil)
        refusals.note(missing: ["+get"], at: Timestamp(milliseconds: 9))
        #expect(refusals.first?.since == Timestamp(milliseconds: 9) && refusals.missing == ["+get"])
        refusals.note(missing: [], at: now)
        #expect(refusals == ServerRefusals(), "refusals for the missing rights end, too")
    }

    @Test func grantedPermissionDoesNotEndOtherRefusals() {
        var refusals = ServerRefusals()
        refusals.note([Self.error("OOM")], of: .writing, at: now)
        refusals.note(missing: ["+mget"], at: now)
        #expect(refusals.ofWriting?.fault == .memory, "a user that cannot read may be able to write")
        refusals.note(missing: [], at: now)
        #expect(refusals.first?.fault == .memory)
    }

    @Test func repeatedRedisRefusalKeepsTheTimeOfTheFirstOne() {
        var refusals = ServerRefusals()
        for moment in 5...7 {
            refusals.note([Self.error("OOM")], of: .writing, at: Timestamp(milliseconds: Int64(moment)))
        }
        #expect(refusals.first?.since == now)
        refusals.note([Self.error("READONLY")], of: .writing, at: Timestamp(milliseconds: 8))
        #expect(refusals.first?.since == Timestamp(milliseconds: 8), "a new reason has its own time")
    }

    @Test func redisRefusalEndsWhenACommandWithTheSamePurposeSucceeds() {
        var refusals = ServerRefusals()
        for purpose in ServerRefusals.Purpose.allCases { refusals.note([Self.error("NOPERM")], of: purpose, at: now) }
        #expect(refusals.first == refusals.ofReading && refusals.ofReading?.reason.contains("Larder read:") == true)
        refusals.note([.null], of: .reading, at: now)
        #expect(refusals.ofReading == nil && refusals.first == refusals.ofWriting)
        refusals.note([.integer(1)], of: .writing, at: now)
        #expect(refusals.ofWriting != nil, "taking leases counts as writing")
        refusals.note([.integer(1)], of: .leasing, at: now)
        #expect(refusals.ofWriting == nil && refusals == ServerRefusals())
    }

    @Test func wrongTypeErrorFromRedisIsNotTreatedAsARefusal() {
        var refusals = ServerRefusals()
        let isDone = refusals.note([.text([]), Self.error("WRONGTYPE")], of: .reading, at: now)
        #expect(isDone && refusals.first == nil)
        let isOfAllDone = refusals.note([Self.error("WRONGTYPE"), Self.error("NOPERM")], of: .reading, at: now)
        #expect(!isOfAllDone)
    }
}
