import DataSources
import System

/// Where the log goes: a descriptor that may never make the server wait.
///
/// A parent that never reads the log must not stall what it asked for. So a line that finds no room is dropped, and how
/// many were is said as soon as there is room again.
final class LogStream: Sendable {
    /// As much as a pipe takes whole or not at all (POSIX, `PIPE_BUF` on Linux; a longer line is cut).
    private static let maxLine = 4096

    private struct State {
        /// Made at the first line.
        var output: OutputDescriptor?
        var lost = 0
    }

    private let descriptor: Int32
    private let state = Lock(State())

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a line with its newline, or drops it.
    ///
    /// - Parameter notice: makes a line of what is to be said of those that were dropped before.
    func write(_ line: String, notice: (String) -> String) {
        state.withLock { state in
            let output = state.output ?? OutputDescriptor(descriptor)
            state.output = output
            if state.lost > 0 {
                let count = state.lost
                let text = notice(
                    "\(count) line\(count == 1 ? "" : "s") of the log found no room and \(count == 1 ? "was" : "were") dropped"
                )
                if !Self.write(text, to: output) {
                    state.lost += 1
                    return
                }
                state.lost = 0
            }
            if !Self.write(line, to: output) { state.lost += 1 }
        }
    }

    /// Returns whether the line is written: one that is on a descriptor which nobody reads any more counts as such.
    private static func write(_ line: String, to output: OutputDescriptor) -> Bool {
        var bytes = Array(line.utf8)
        if bytes.count > maxLine {
            // Not within a character: its first byte is no continuation (RFC 3629).
            var end = maxLine - 4
            while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes = bytes.prefix(end) + Array("...\n".utf8)
        }
        return bytes.withUnsafeBytes { output.writeWhole($0) }
    }
}
