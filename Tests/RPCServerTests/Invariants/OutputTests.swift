import System
import TestSupport
import Testing

/// Nothing but the reply writer, and what a command prints before or without a session, writes to stdout.
@Suite(.limited) struct OutputTests {
    private static let printers: Set<Substring> = [
        "print", "debugPrint", "dump", "puts", "printf", "vprintf", "putchar", "putc", "fputs", "fputc", "fwrite",
        "fprintf", "vfprintf", "dprintf", "stdout", "STDOUT_FILENO", "FileHandle", "NSLog", "perror", "writev",
    ]

    /// The files that call the system's `write` or `send`, and to what.
    private static let writers: Set<String> = [
        "Sources/RPCServer/Server/OutputDescriptor.swift",  // The reply writer's descriptor.
        "Sources/RPCServer/Server/StandardStreams.swift",  // Where it is told: see below.
        "Sources/RPCServer/Server/Watchdog.swift",  // stderr, where the process can do nothing else any more.
        "Sources/System/Files/Files.swift",  // Files that it has opened itself.
        "Sources/DataSources/Local/EntityDataSource.swift",  // No descriptor: its writer's `write`.
    ]

    /// The function names that a line calls, where they are not methods or declarations.
    private static func calls(_ line: Substring) -> [Substring] {
        var names: [Substring] = []
        var rest = line
        while let parenthesis = rest.firstIndex(of: "(") {
            let name = rest[..<parenthesis].reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            let word = Substring(String(name.reversed()))
            let before = rest[..<parenthesis].dropLast(word.count)
            if !word.isEmpty, !before.hasSuffix("."), !before.hasSuffix("func ") { names.append(word) }
            if before.hasSuffix("Glibc.") || before.hasSuffix("Darwin.") { names.append(word) }
            rest = rest[rest.index(after: parenthesis)...]
        }
        return names
    }

    @Test func nothingPrints() {
        for file in SourceFile.sources {
            let found = file.code.flatMap { line in
                Self.calls(line).filter { Self.printers.contains($0) }
                    + line.identifiers.filter { ["stdout", "STDOUT_FILENO", "FileHandle"].contains($0) }
            }
            #expect(found == [], "\(file.path)")
        }
    }

    @Test func fewFilesWriteToDescriptors() {
        for file in SourceFile.sources where !Self.writers.contains(file.path) {
            // A file that declares a `write` of its own calls that one.
            let hasOwn = file.text.contains("func write(")
            let found = file.code.flatMap { Self.calls($0) }.filter { ["write", "send"].contains($0) && !hasOwn }
            #expect(found == [], "\(file.path)")
        }
        for path in Self.writers { #expect(SourceFile.sources.contains { $0.path == path }, "\(path)") }
    }

    @Test func onlyCommandsWriteToDescriptorOne() {
        for file in SourceFile.sources where file.target == "RPCServer" {
            let found = file.code.filter { line in
                line.contains("to: 1)") || line.contains("write(1,") || line.contains("(1, ")
            }
            let expected: [String: Int] = ["Larder.swift": 1, "StandardStreams.swift": 1]
            #expect(found.count == expected[file.name] ?? 0, "\(file.path): \(found)")
        }
    }

    @Test func howCallsAreRead() {
        #expect(Self.calls("a.print(b) + print(c(d)) + Glibc.write(1)") == ["print", "c", "write"])
        #expect(Self.calls("mutating func print(_ x: Int)") == [])
    }
}
