import System
import TestSupport
import Testing

@testable import RPCServer

/// Tests that only the reply writer writes to stdout, except for commands without a session.
@Suite(.limited) struct StandardOutputTests {
    private static let printers: Set<Substring> = [
        "print", "debugPrint", "dump", "puts", "printf", "vprintf", "putchar", "putc", "fputs", "fputc", "fwrite",
        "fprintf", "vfprintf", "dprintf", "stdout", "STDOUT_FILENO", "FileHandle", "NSLog", "perror", "writev",
    ]

    /// The files that call the system's `write` or `send`, with the target of their writes.
    private static let writers: Set<String> = [
        "Sources/RPCServer/Transport/OutputDescriptor.swift",  // The reply writer's descriptor.
        "Sources/RPCServer/Process/StandardStreams.swift",  // The descriptor that a caller passes: see below.
        "Sources/RPCServer/Process/Watchdog.swift",  // stderr, when the process can do nothing else.
        "Sources/larder/People/Views/WaitingLine.swift",  // stderr, in a signal handler.
        "Sources/System/Files/Files.swift",  // Files that it opened itself.
        "Sources/System/CLibrary.swift",  // The call itself, under a name that is searched for too.
    ]

    /// Returns the names of the functions that a line calls, without methods and declarations.
    private static func calls(_ line: Substring) -> [Substring] {
        var names: [Substring] = []
        var rest = line
        while let parenthesis = rest.firstIndex(of: "(") {
            let name = rest[..<parenthesis].reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            let word = Substring(String(name.reversed()))
            let before = rest[..<parenthesis].dropLast(word.count)
            if !word.isEmpty, !before.hasSuffix("."), !before.hasSuffix("func ") { names.append(word) }
            let modules = ["Glibc.", "Darwin.", "Swift.", "System."]
            if modules.contains(where: { before.hasSuffix($0) }) { names.append(word) }
            rest = rest[rest.index(after: parenthesis)...]
        }
        return names
    }

    @Test func noSourceFileCallsPrint() {
        for file in SourceFile.sources {
            let found = file.code.flatMap { line in
                Self.calls(line).filter { Self.printers.contains($0) }
                    + line.identifiers.filter { ["stdout", "STDOUT_FILENO", "FileHandle"].contains($0) }
            }
            #expect(found == [], "\(file.path)")
        }
    }

    /// Whether code calls a system function that writes to a descriptor.
    ///
    /// Such functions take at least three unlabelled arguments: a descriptor, a pointer and a count. This distinguishes
    /// them from a function such as `write(_:to:)` that the file itself declares.
    private static func writesToDescriptors(_ code: String) -> Bool {
        let names: Set<Substring> = ["write", "pwrite", "send", "sendto", "sendmsg", "sendfile", "writev", "pwritev"]
        let modules: Set<Substring> = ["Glibc", "Darwin", "Musl", "System", "CSystem"]
        if code.contains("SystemCall.write(") { return true }
        var rest = Substring(code)
        while let parenthesis = rest.firstIndex(of: "(") {
            let before = rest[..<parenthesis]
            rest = rest[rest.index(after: parenthesis)...]
            let path = before.suffix { $0.isLetter || $0.isNumber || "_.".contains($0) }.split(separator: ".")
            guard let name = path.last, names.contains(name), !before.hasSuffix("func \(name)") else { continue }
            let isMethod = before.hasSuffix(".\(name)") && path.first.map { !modules.contains($0) } ?? true
            if !isMethod, unlabelled(in: rest) >= 3 { return true }
        }
        return false
    }

    /// Returns the number of unlabelled arguments before the closing parenthesis of a call.
    private static func unlabelled(in text: Substring) -> Int {
        var arguments: [Substring] = []
        var (depth, start) = (0, text.startIndex)
        for index in text.indices {
            switch text[index] {
            case "(", "[", "{": depth += 1
            case ")" where depth == 0, "," where depth == 0:
                arguments.append(text[start..<index])
                start = text.index(after: index)
                if text[index] == ")" { return arguments.count { !hasLabel($0) } }
            case ")", "]", "}": depth -= 1
            default: break
            }
        }
        return 0
    }

    private static func hasLabel(_ argument: Substring) -> Bool {
        let label = argument.drop { $0.isWhitespace }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return argument[label.endIndex...].hasPrefix(":")
    }

    @Test func onlySourceFilesInTheAllowListCallWrite() {
        let found = SourceFile.sources.filter { Self.writesToDescriptors($0.code.joined(separator: "\n")) }
        #expect(Set(found.map(\.path)) == Self.writers)
    }

    @Test(arguments: [
        ("write(1, p, 2)", true), ("Glibc.write(a,\n b(c, d), e)", true), ("x.send(a, b, c)", false),
        ("_ = send(a, b, c, d) }", true), ("write(&self, element)", false), ("try write(a, of: b, at: c)", false),
        ("func write(a, b, c)", false), ("_ = SystemCall.write(a, to: b)", true),
        ("writer.write(a, b, c) + pwrite(a, b, c, d)", true),
    ])
    func writesAreRecognized(code: String, isFound: Bool) {
        #expect(Self.writesToDescriptors(code) == isFound)
    }

    @Test func onlyCommandsWriteToStandardOutput() {
        for file in SourceFile.sources where ["RPCServer", "larder"].contains(file.target) {
            let found = file.code.filter { line in
                line.contains("to: 1)") || line.contains("write(1,")
                    || line.split(separator: "max(1, ").joined().contains("(1, ")
            }
            let expected: [String: Int] = ["Larder.swift": 1, "TerminalOutput.swift": 1, "StandardStreams.swift": 1]
            #expect(found.count == expected[file.name] ?? 0, "\(file.path): \(found)")
        }
    }

    @Test func functionCallsAreRecognized() {
        #expect(Self.calls("a.print(b) + print(c(d)) + Glibc.write(1)") == ["print", "c", "write"])
        #expect(Self.calls("Swift.print(b)") == ["print"])
        #expect(Self.calls("mutating func print(_ x: Int)") == [])
    }
}

extension Substring {
    /// The longest suffix whose characters all satisfy the condition.
    fileprivate func suffix(_ isWanted: (Character) -> Bool) -> Substring {
        self[(lastIndex { !isWanted($0) }.map { index(after: $0) } ?? startIndex)...]
    }
}
