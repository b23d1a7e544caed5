import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct ParentWatchTests {
    /// Passes process states to a watch, and checks that only the last state counts as an exit. Returns the number of
    /// the earlier states.
    private static func pauses(_ states: [ParentWatch.ProcessState]) -> Int {
        var watch = ParentWatch()
        let answers = states.map { watch.hasExited($0) }
        #expect(answers.last == true && answers.dropLast().allSatisfy { !$0 })
        return answers.count { !$0 }
    }

    @Test func runningProcessIsNotTakenAsExited() {
        let here = ParentWatch.ProcessState.running(since: "1")
        #expect(Self.pauses([here, here, here, .ended]) == 3)
        #expect(Self.pauses([.ended]) == 0)
    }

    @Test func processWithAReusedPidIsTakenAsExited() {
        let here = ParentWatch.ProcessState.running(since: "1")
        #expect(Self.pauses([here, here, .running(since: "2")]) == 2)
    }

    /// If a process has no free descriptor, /proc cannot be read for a while.
    @Test func processWithUnreadableStartTimeIsNotTakenAsExited() {
        let here = ParentWatch.ProcessState.running(since: "1")
        let unclear = ParentWatch.ProcessState.running(since: nil)
        #expect(Self.pauses([unclear, here, unclear, here, .ended]) == 4)
        #expect(Self.pauses([here, unclear, .running(since: "2")]) == 2)
        #expect(Self.pauses([unclear, unclear, .ended]) == 2)
    }

    @Test func ownProcessIsRunning() {
        let state = ParentWatch.state(of: getpid())
        #expect(state != .ended)
        #expect(state == ParentWatch.state(of: getpid()))
        #if os(Linux)
            #expect(state != .running(since: nil))
        #endif
    }

    #if os(Linux)
        @Test func zombieProcessIsTakenAsExited() throws {
            var child = pid_t()
            let arguments = [strdup("sh"), strdup("-c"), strdup("exit 0"), nil]
            defer { for argument in arguments { free(argument) } }
            try #require(posix_spawn(&child, "/bin/sh", nil, nil, arguments, environ) == 0)
            // Waits for the exit of the child process without reaping it, so that it stays a zombie.
            var info = siginfo_t()
            #expect(waitid(P_PID, id_t(child), &info, Int32(WEXITED) | Int32(WNOWAIT)) == 0)
            #expect(kill(child, 0) == 0)
            #expect(ParentWatch.state(of: child) == .ended)
            var status: Int32 = 0
            #expect(waitpid(child, &status, 0) == child)
            #expect(ParentWatch.state(of: child) == .ended)
        }
    #endif

    @Test func exitOfTheWatchedProcessIsReported() async throws {
        let ended = Gate()
        // No process has such a high pid.
        #expect(ParentWatch.start(pid_t.max) { ended.open() })
        try await ended.wait()
    }

    /// Numbers below 1 are not watched, because `kill` treats them as process groups.
    @Test(arguments: [0, -1, -7, pid_t.min])
    func invalidPidIsNotWatched(number: pid_t) {
        #expect(ParentWatch.start(number) { Issue.record("no process is watched") })
    }
}
