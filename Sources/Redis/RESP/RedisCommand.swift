/// A command for a Redis server, with its arguments.
public struct RedisCommand: Equatable, Sendable {
    /// The name of the command, followed by its arguments.
    let arguments: [[UInt8]]

    package init(_ arguments: [[UInt8]]) { self.arguments = arguments }

    /// Creates a command from its name and string arguments.
    package init(_ words: String...) { self.init(words.map { Array($0.utf8) }) }

    /// Returns an `EVAL` command for a script.
    package static func eval(_ script: String, keys: [String], _ arguments: [[UInt8]]) -> RedisCommand {
        let head = ["EVAL", script, String(keys.count)] + keys
        return RedisCommand(head.map { Array($0.utf8) } + arguments)
    }

    /// Appends the encoded command to `out`, as an array of bulk strings.
    func encode(into out: inout [UInt8]) {
        Self.writeHead(UInt8(ascii: "*"), arguments.count, &out)
        for argument in arguments {
            Self.writeHead(UInt8(ascii: "$"), argument.count, &out)
            out += argument
            out.append(UInt8(ascii: "\r"))
            out.append(UInt8(ascii: "\n"))
        }
    }

    /// An upper bound of the command's encoded size, in bytes.
    package var size: Int { arguments.reduce(32) { $0 + $1.count + 32 } }

    private static func writeHead(_ mark: UInt8, _ count: Int, _ out: inout [UInt8]) {
        out.append(mark)
        if count < 10 { out.append(UInt8(ascii: "0") + UInt8(count)) } else { out += String(count).utf8 }
        out.append(UInt8(ascii: "\r"))
        out.append(UInt8(ascii: "\n"))
    }
}
