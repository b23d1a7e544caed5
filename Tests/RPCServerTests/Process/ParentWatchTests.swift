import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct ParentWatchTests {
    /// How many of these sights leave it unsure; it must be sure at the last one.
    private static func pauses(_ sights: [ParentWatch.Sight]) -> Int {
        var watch = ParentWatch()
        let answers = sights.map { watch.hasExited($0) }
        #expect(answers.last == true && answers.dropLast().allSatisfy { !$0 })
        return answers.count { !$0 }
    }

    @Test func itWaitsWhileTheProcessIsThere() {
        let here = ParentWatch.Sight.running(since: "1")
        #expect(Self.pauses([here, here, here, .ended]) == 3)
        #expect(Self.pauses([.ended]) == 0)
    }

    @Test func anotherProcessWithTheSameNumberIsNotTheSame() {
        let here = ParentWatch.Sight.running(since: "1")
        #expect(Self.pauses([here, here, .running(since: "2")]) == 2)
    }

    /// Where a process has no descriptor left, /proc cannot be read for a while.
    @Test func whatCannotBeReadForAMomentIsNoEnd() {
        let (here, unclear) = (ParentWatch.Sight.running(since: "1"), ParentWatch.Sight.running(since: nil))
        #expect(Self.pauses([unclear, here, unclear, here, .ended]) == 4)
        #expect(Self.pauses([here, unclear, .running(since: "2")]) == 2)
        #expect(Self.pauses([unclear, unclear, .ended]) == 2)
    }

    @Test func thisProcessRuns() {
        let sight = ParentWatch.state(of: getpid())
        #expect(sight != .ended)
        #expect(sight == ParentWatch.state(of: getpid()))
        #if os(Linux)
            #expect(sight != .running(since: nil))
        #endif
    }

    #if os(Linux)
        @Test func aZombieHasEnded() throws {
            var child = pid_t()
            let arguments = [strdup("sh"), strdup("-c"), strdup("exit 0"), nil]
            defer { for argument in arguments { free(argument) } }
            try #require(posix_spawn(&child, "/bin/sh", nil, nil, arguments, environ) == 0)
            // Waits for its end and leaves it a zombie.
            var info = siginfo_t()
            #expect(waitid(P_PID, id_t(child), &info, Int32(WEXITED) | Int32(WNOWAIT)) == 0)
            #expect(kill(child, 0) == 0)
            #expect(ParentWatch.state(of: child) == .ended)
            var status: Int32 = 0
            #expect(waitpid(child, &status, 0) == child)
            #expect(ParentWatch.state(of: child) == .ended)
        }
    #endif

    @Test func itSaysThatTheProcessHasEnded() async throws {
        let ended = Gate()
        // No process has so high a number.
        #expect(ParentWatch.start(pid_t.max) { ended.open() })
        try await ended.wait()
    }

    /// For `kill` these are groups of processes.
    @Test(arguments: [0, -1, -7, pid_t.min])
    func whatIsNoNumberOfAProcessIsNotWatched(number: pid_t) {
        #expect(ParentWatch.start(number) { Issue.record("nobody has ended") })
    }
}
