import RPCServer
import System

/// Reads the lines of a prompt. Without libedit, the terminal itself offers only simple editing.
final class PromptInput {
    private let editor: LineEditor?
    /// Both ends of a pipe. A byte in the pipe interrupts the line that is being read.
    private let wake: (reading: Int32, writing: Int32)

    /// - Parameters:
    ///   - canEdit: whether to use libedit if it is installed.
    ///   - suggest: returns the words that can replace the word at the cursor.
    init(canEdit: Bool, suggest: @escaping (LineEditor.Place) -> [String]) {
        editor = canEdit ? LineEditor(suggest: suggest) : nil
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wake = (ends[0], ends[1])
    }

    deinit {
        SystemCall.close(wake.reading)
        SystemCall.close(wake.writing)
    }

    /// Whether libedit is in use.
    var hasEditor: Bool { editor != nil }

    /// Adds a line to the lines that the arrow keys recall.
    func remember(_ line: String) { editor?.remember(line) }

    /// A closure that discards the line that is being read. Any thread may call it.
    var interrupt: @Sendable () -> Void {
        { [writing = wake.writing] in StandardStreams.write([0], to: writing) }
    }

    /// Shows a prompt, and returns the line that the user types.
    func read(_ prompt: String) -> LineEditor.Line {
        // An interruption that came before the prompt must not discard the next line.
        var byte: UInt8 = 0
        while readBytes(wake.reading, &byte, 1) > 0 {}
        return editor?.read(prompt, wake: wake.reading) ?? plain(prompt)
    }

    private func plain(_ prompt: String) -> LineEditor.Line {
        _ = TerminalOutput.write(prompt)
        var line: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        var ready = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
        ]
        while line.last != UInt8(ascii: "\n") {
            guard poll(&ready, 2, -1) >= 0 || errno == EINTR else { return .end }
            if ready[1].revents != 0 { return .interrupted }
            if ready[0].revents == 0 { continue }
            // A terminal returns at most one line.
            let count = readBytes(STDIN_FILENO, &chunk, chunk.count)
            if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) {
                if line.isEmpty { return .end }
                break
            }
            line.append(contentsOf: chunk.prefix(max(0, count)))
        }
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        return .text(String(decoding: line, as: UTF8.self))
    }
}

// A free function, because `read` inside `PromptInput` means `PromptInput.read`.
private func readBytes(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(file, bytes, count)
}
