import System
import TestSupport
import Testing

/// Tests programs that are run for their output.
@Suite(.limited) struct ProgramTests {
    /// A group of the test's own: other tests kill the programs of the shared group when they close a process.
    private let group = Program.Group()

    private static func shell(_ script: String) -> [String] { ["/bin/sh", "-c", script] }

    private func wait(_ script: String, maxWait: Int = 60_000, atMost limit: Int = 64 << 10) async -> Program.Finished {
        await onThread { Program.wait(for: Self.shell(script), maxWait: maxWait, atMost: limit, in: group) }
    }

    @Test func outputAndExitCodeOfAProgramAreReturned() async {
        let good = await wait("echo one; echo two; echo no >&2")
        #expect(good == Program.Finished(output: Array("one\ntwo\n".utf8), errors: Array("no\n".utf8), .exited(0)))
        #expect(await wait("printf x; exit 3") == Program.Finished(output: [UInt8(ascii: "x")], .exited(3)))
        #expect(await wait("kill -9 $$").ending == .signalled(9))
    }

    @Test func argumentsOfAProgramAreNotInterpretedByAShell() async {
        let finished = await Program.run(["printf", "%s|", "a b", "$HOME", "`id`", ";", ""], in: group)
        #expect(String(decoding: finished.output, as: UTF8.self) == "a b|$HOME|`id`|;||")
    }

    @Test func failedStartOfAProgramHasAReason() async {
        #expect(await Program.run(["/no/such/program"], in: group).ending == .notStarted("No such file or directory"))
        #expect(
            await Program.run(["larder-no-such-program"], in: group).ending == .notStarted("No such file or directory"))
        #expect(await Program.run(["/etc/passwd"], in: group).ending == .notStarted("Permission denied"))
    }

    @Test func programHasEmptyInputAndOnlyTheStandardDescriptors() async {
        // An inheritable descriptor, as a library or the parent process may have left it open.
        let left = dup(2)
        defer { close(left) }
        #expect(await wait("cat; ls /proc/self/fd | tr '\\n' ' '").output.starts(with: Array("0 1 2 ".utf8)))
        #expect(await wait("if [ -e /proc/self/fd/\(left) ]; then echo open; fi").output == [])
    }

    @Test func programStartsWithNoSignalBlockedOrIgnored() async {
        let finished = await wait("grep -E '^Sig(Blk|Ign)' /proc/self/status")
        let lines = String(decoding: finished.output, as: UTF8.self).split(separator: "\n")
        let masks = lines.map { $0.split(separator: "\t") }
        #expect(masks.map { UInt64($0[1], radix: 16).map { $0 & 0xFFFF } } == [0, 0])
    }

    @Test func hangingProgramIsKilledWithItsChildren() async {
        #expect(await wait("echo begun; sleep 1000 | cat", maxWait: 50).ending == .timedOut(50))
    }

    @Test func descendantsOfAProgramAreKilledWithIt() async throws {
        let folder = try TemporaryDirectory()
        let fifo: String = folder.file("fifo")
        try #require(mkfifo(fifo, 0o600) == 0)
        let reader = open(fifo, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let finished = await wait("exec 9>'\(fifo)'; sleep 1000 & yes", atMost: 1000)
        #expect(finished.ending == .tooMuch(1000))
        // The reader gets POLLHUP when the last process with the pipe open for writing has exited: the shell, `sleep`
        // and `yes`.
        let events = await onThread {
            var ends = [pollfd(fd: reader, events: 0, revents: 0)]
            return poll(&ends, 1, 60_000) == 1 ? Int32(ends[0].revents) : 0
        }
        #expect(events == Int32(POLLHUP))
    }

    @Test func endedProgramGroupStartsNoProgram() async {
        let group = Program.Group()
        let words = Self.shell("echo me")
        #expect(await onThread { Program.wait(for: words, in: group) }.ending == .exited(0))
        group.end()
        let refused = await onThread { Program.wait(for: words, in: group) }
        #expect(refused == Program.Finished(.notStarted("Larder is exiting")))
    }

    @Test func programThatWritesTooMuchIsKilled() async {
        #expect(await wait("yes", atMost: 1000).ending == .tooMuch(1000))
        #expect(await wait("printf 1234", atMost: 4).ending == .exited(0))
        #expect(await wait("yes >&2 & echo me; kill $!").output == Array("me\n".utf8))
    }

    /// The descendant still has the program's stdout open.
    @Test func runningDescendantOfAProgramIsNotAwaited() async {
        let finished = await wait("sleep 3 & echo token")
        #expect(finished == Program.Finished(output: Array("token\n".utf8), .exited(0)))
    }
}
