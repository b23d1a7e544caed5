import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct OutputDescriptorTests {
    private static let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)

    @Test(arguments: Channel.Kind.allCases)
    func nonBlockingWriteReportsAFullChannel(kind: Channel.Kind) {
        let channel = Channel(kind)
        let output = OutputDescriptor(channel.output)
        #expect(output.canWriteWithoutWaiting)
        var written = 0
        var outcome = OutputDescriptor.Outcome.wrote(0)
        while case .wrote(let count) = outcome {
            written += count
            outcome = Self.chunk.withUnsafeBytes { output.writeWithoutWaiting($0) }
        }
        #expect(outcome == .wouldBlock)
        #expect(!channel.isOutputNonBlocking)
        #expect(channel.read(written).count == written)
        #expect(Self.chunk.withUnsafeBytes { output.writeWithoutWaiting($0) } == .wrote(Self.chunk.count))
    }

    @Test(arguments: Channel.Kind.allCases)
    func writesReportAClosedReader(kind: Channel.Kind) {
        let channel = Channel(kind)
        let output = OutputDescriptor(channel.output)
        channel.closeInput()
        #expect(Self.chunk.withUnsafeBytes { output.writeWithoutWaiting($0) } == .closed)
        #expect(Self.chunk.withUnsafeBytes { output.writeWaiting($0) } == .closed)
    }

    @Test(arguments: Channel.Kind.allCases)
    func blockingWriteMakesProgressOnANonBlockingDescriptor(kind: Channel.Kind) async {
        let channel = Channel(kind)
        channel.setNonBlocking(channel.output)
        let output = OutputDescriptor(channel.output)
        let total = 2 << 20
        async let read = onThread { channel.read(total).count }
        let failures = await onThread {
            let bytes = [UInt8](repeating: 1, count: total)
            var (written, failures) = (0, 0)
            while written < total {
                let outcome = bytes.withUnsafeBytes {
                    output.writeWaiting(UnsafeRawBufferPointer(rebasing: $0[written...]))
                }
                if case .wrote(let count) = outcome { written += count } else { failures += 1 }
            }
            return failures
        }
        #expect(await read == total)
        // A non-blocking write would fail while the reader has not made room yet.
        #expect(failures == 0)
    }

    @Test func outputFileAcceptsAllBytes() throws {
        let folder = try TemporaryDirectory()
        let file = open(folder.file("out"), O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        let output = OutputDescriptor(file)
        #expect(output.canWriteWithoutWaiting)
        let bytes = [UInt8](repeating: UInt8(ascii: "y"), count: 1 << 20)
        #expect(bytes.withUnsafeBytes { output.writeWithoutWaiting($0) } == .wrote(bytes.count))
        #expect(Self.chunk.withUnsafeBytes { output.writeWaiting($0) } == .wrote(Self.chunk.count))
        #expect(try folder.read("out") == bytes + Self.chunk)
    }

    @Test func deviceSupportsOnlyBlockingWrites() {
        let device = open("/dev/null", O_WRONLY)
        defer { close(device) }
        let output = OutputDescriptor(device)
        #expect(!output.canWriteWithoutWaiting)
        #expect(Self.chunk.withUnsafeBytes { output.writeWaiting($0) } == .wrote(Self.chunk.count))
    }

    @Test func failedWriteReportsItsErrno() {
        let device = open("/dev/null", O_RDONLY)
        defer { close(device) }
        let output = OutputDescriptor(device)
        #expect(Self.chunk.withUnsafeBytes { output.writeWaiting($0) } == .failed(EBADF))
    }
}
