import JSON
import RPCServer
import System

/// Determines when the output has colours (`--color`).
enum ColourChoice: String, CaseIterable, Sendable {
    case always, never
    /// A terminal gets colours unless `NO_COLOR` is set. A pipe or file gets colours only if `CLICOLOR_FORCE` is set.
    case auto

    /// Finds the last value of `--color`, even if other arguments are invalid. Returns nil if there is no valid value.
    init?(in arguments: [Argument]) {
        var value = ""
        var isNext = false
        for argument in arguments {
            if isNext { value = argument.shown }
            let parts = argument.parts
            isNext = parts.name == "--color" && parts.value == nil
            if parts.name == "--color", let given = parts.value { value = given.shown }
        }
        self.init(rawValue: value)
    }
}

/// The properties of an output stream, which is a terminal, a pipe or a file.
struct Terminal: Equatable, Sendable {
    /// The minimum width of a line, in columns. Lines keep this width even if the window is narrower.
    static let minWidth = 10

    let isTerminal: Bool
    /// The width of a line, in columns.
    let width: Int
    let hasColour: Bool
    /// Whether the program can erase a line of the output and draw it again. False for pipes, files and dumb terminals.
    let canRedraw: Bool

    /// Determines the properties of an output stream from the width of the window, `--color` and environment variables.
    ///
    /// - Parameters:
    ///   - columns: the width of the window in columns; 0 if the width is unknown.
    ///   - colour: the value of `--color`.
    ///   - variable: returns the value of an environment variable.
    init(isTerminal: Bool, columns: Int, colour: ColourChoice = .auto, variable: (String) -> String?) {
        self.isTerminal = isTerminal
        let reported = columns > 0 ? columns : variable("COLUMNS").flatMap { Int($0) } ?? 0
        width = reported > 0 ? max(Self.minWidth, min(reported, 10_000)) : 80
        let isDumb = ["", "dumb"].contains(variable("TERM") ?? "")
        canRedraw = isTerminal && !isDumb
        switch colour {
        case .always: hasColour = true
        case .never: hasColour = false
        case .auto:
            // These are the conventions of https://no-color.org and https://bixense.com/clicolors.
            let isForced = !["", "0"].contains(variable("CLICOLOR_FORCE") ?? "")
            hasColour = (canRedraw || isForced) && variable("NO_COLOR")?.isEmpty != false
        }
    }

    /// Returns a value as one line of JSON. For a terminal, control characters are escaped.
    func line(_ value: JSONValue) -> String {
        (isTerminal ? VisibleText.json(value.text) : value.text) + "\n"
    }

    /// Determines the properties of the output stream with this file descriptor.
    init(of descriptor: Int32, colour: ColourChoice = .auto, _ environment: Environment) {
        let columns = Self.columns(of: descriptor)
        self.init(isTerminal: columns != nil, columns: columns ?? 0, colour: colour) { name in
            environment.bytes(name).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Returns the width of the terminal with this file descriptor. Returns 0 if the width is unknown, and nil if the
    /// descriptor is not a terminal.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) != 0 else { return nil }
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
    }
}
