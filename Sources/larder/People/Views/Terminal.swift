import RPCServer
import System

/// Where a person reads: a terminal, or what only looks so.
struct Terminal: Equatable, Sendable {
    /// A line holds no less, however narrow the window is.
    static let least = 10

    let isTerminal: Bool
    /// In columns.
    let width: Int
    let hasColour: Bool
    /// Whether a line can be written anew.
    let canRedraw: Bool

    /// - Parameters:
    ///   - columns: of the window; 0 where it does not say.
    ///   - variable: the value of a variable of the environment.
    init(isTerminal: Bool, columns: Int, variable: (String) -> String?) {
        self.isTerminal = isTerminal
        let said = columns > 0 ? columns : variable("COLUMNS").flatMap { Int($0) } ?? 0
        width = said > 0 ? max(Self.least, min(said, 10_000)) : 80
        let isDumb = ["", "dumb"].contains(variable("TERM") ?? "")
        canRedraw = isTerminal && !isDumb
        // https://no-color.org
        hasColour = canRedraw && variable("NO_COLOR")?.isEmpty != false
    }

    /// That of a descriptor.
    init(of descriptor: Int32, _ environment: Environment) {
        var size = winsize()
        let isTerminal = isatty(descriptor) != 0
        let isKnown = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        self.init(isTerminal: isTerminal, columns: isKnown ? Int(size.ws_col) : 0) { name in
            environment.bytes(name).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
