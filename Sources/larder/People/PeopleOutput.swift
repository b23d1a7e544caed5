import RPCServer
import System

/// What is written on stdout, until nobody reads it any more.
struct PeopleOutput {
    /// Why it could not be written; nil while it could.
    private(set) var failure: Int32?

    /// Writes a text. Returns whether there is any use in writing more.
    mutating func write(_ text: String) -> Bool {
        guard failure == nil else { return false }
        if text.isEmpty { return true }
        let failure = StandardStreams.write(text, to: 1)
        if failure != 0 { self.failure = failure }
        return failure == 0
    }

    /// What the process ends with where nothing else is wrong; a fault of the output is told.
    var exitCode: Int32 {
        // Who has read enough closes the pipe.
        guard let failure, failure != EPIPE else { return ExitCode.success }
        StandardStreams.write("larder: cannot write to stdout: \(String(cString: strerror(failure)))\n", to: 2)
        return ExitCode.output
    }
}
