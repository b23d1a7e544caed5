import JSON
import TestSupport
import Testing

/// The style rules for source and test files.
@Suite(.limited) struct SourceStyleTests {
    @Test(arguments: SourceFile.sources)
    func noSourceFileContainsDeliberateTraps(file: SourceFile) {
        let banned: Set<Substring> = [
            "fatalError", "preconditionFailure", "precondition", "assertionFailure", "unsafelyUnwrapped",
        ]
        for line in file.code {
            #expect(!line.contains("try!") && !line.contains("as!"))
            #expect(line.identifiers.filter { banned.contains($0) } == [], "\(line)")
        }
    }

    private static let unsafe = [
        "@unchecked", "nonisolated(unsafe)", "unowned(unsafe)", "Unmanaged", "unsafeBitCast",
    ]

    /// Returns the lines with code that the compiler does not check and that lack a reason.
    ///
    /// The reason follows `Safe:` on the line itself, or in the comment directly above it. Consecutive lines may share
    /// one reason.
    private static func unexplained(_ file: SourceFile) -> [Substring] {
        func isUnsafe(_ index: Int) -> Bool { unsafe.contains { file.code[index].contains($0) } }
        func hasReason(_ index: Int) -> Bool {
            guard let mark = file.lines[index].firstRange(of: "// Safe: ") else { return false }
            return file.lines[index][mark.upperBound...].contains(" ")
        }
        return file.code.indices.filter { index in
            guard isUnsafe(index), !hasReason(index) else { return false }
            var above = index - 1
            while above >= 0, isUnsafe(above) || file.lines[above].drop(while: { $0 == " " }).hasPrefix("//") {
                if hasReason(above) { return false }
                above -= 1
            }
            return true
        }.map { file.code[$0] }
    }

    @Test(arguments: SourceFile.sources)
    func unsafeCodeHasAReason(file: SourceFile) {
        #expect(file.lines.count == file.code.count)
        #expect(Self.unexplained(file) == [])
        #expect(Self.unexplainedExclusivity(file) == [])
    }

    @Test(arguments: [
        ("struct A: @unchecked Sendable {  // Safe: only one thread has it.", 0), ("// Safe: it is.\nUnmanaged", 0),
        ("// Safe: it is,\n// now.\nUnmanaged\nUnmanaged", 0), ("// A comment.\nUnmanaged", 1),
        ("// Safe: it is.\nlet a = 1\nUnmanaged", 1), ("Unmanaged\n// Safe: it is.", 1), ("Unmanaged  // Safe: ", 1),
        ("let a = \"Safe: a b\" + Unmanaged", 1),
    ])
    func safetyCommentsAreRecognized(text: String, count: Int) {
        #expect(Self.unexplained(SourceFile(path: "Sources/X/a.swift", text: text)).count == count)
    }

    /// Returns the lines with `@exclusivity(unchecked)` in types that give no reason why accesses never overlap.
    ///
    /// A type gives the reason once, for all of its properties, in the comment directly above its declaration: a line
    /// that starts with `// Exclusivity: `.
    private static func unexplainedExclusivity(_ file: SourceFile) -> [Substring] {
        func indentation(_ line: Substring) -> Int? { line.firstIndex { $0 != " " }.map { line[..<$0].count } }
        func hasReason(_ line: Substring) -> Bool {
            let text = line.drop { $0 == " " }
            return text.hasPrefix("// Exclusivity: ") && text.split(separator: " ").count > 3
        }
        return file.code.indices.filter { index in
            let line = file.code[index]
            guard line.contains("@exclusivity(unchecked)"), let own = indentation(line) else { return false }
            // The enclosing declaration is the nearest line above with less indentation.
            let enclosing = file.code.indices.prefix(index).last {
                indentation(file.code[$0]).map { $0 < own } ?? false
            }
            guard let enclosing, file.code[enclosing].identifiers.contains(where: { $0 == "class" || $0 == "actor" })
            else { return true }
            let comment = file.lines[..<enclosing].reversed().prefix { $0.drop { $0 == " " }.hasPrefix("//") }
            return !comment.contains(where: hasReason)
        }.map { file.code[$0] }
    }

    @Test(arguments: [
        ("// Exclusivity: one thread uses it.\nclass A {\n    @exclusivity(unchecked) var a = 1\n}", 0),
        (
            "/// A.\n// Exclusivity: one thread,\n// and no other.\nclass A {\n\n    @exclusivity(unchecked) var a = 1\n}",
            0
        ),
        ("class A {\n    @exclusivity(unchecked) var a = 1\n    @exclusivity(unchecked) var b = 1\n}", 2),
        ("class A {\n    // Exclusivity: one thread uses it.\n    @exclusivity(unchecked) var a = 1\n}", 1),
        ("// Exclusivity: safe.\nclass A {\n    @exclusivity(unchecked) var a = 1\n}", 1),
        ("// Exclusivity: one thread uses it.\n\nclass A {\n    @exclusivity(unchecked) var a = 1\n}", 1),
        (
            "// Exclusivity: one thread uses it.\nclass A {\n    class B {\n        @exclusivity(unchecked) var a = 1\n"
                + "    }\n}", 1
        ),
    ])
    func exclusivityCommentsAreRecognized(text: String, count: Int) {
        let file = SourceFile(path: "Sources/X/a.swift", text: text)
        #expect(Self.unexplainedExclusivity(file).count == count)
    }

    /// Swift's own thread pool waits forever, on the calling thread, if no thread can be started.
    @Test(arguments: SourceFile.sources)
    func tasksRunOnTheEventLoop(file: SourceFile) {
        for line in file.code {
            for word in [
                " Task {", "(Task {", "Task.detached", "Task.sleep", "Task(priority", "Task(name",
                "Task(executorPreference: nil",
            ] {
                #expect(!line.contains(word), "\(line)")
            }
        }
    }

    @Test(arguments: SourceFile.sources)
    func fileHasAtMost320Lines(file: SourceFile) {
        // The last line ends with a newline, after which `split` returns one more, empty line.
        #expect(file.lines.count <= 321)
    }

    /// Files must stay short without splitting one type into several files.
    @Test(arguments: SourceFile.sources)
    func fileNameHasNoPlusSign(file: SourceFile) {
        #expect(!file.name.contains("+"))
    }

    /// A type with unchecked concurrency is in one file, because the compiler does not check access to its state.
    @Test func uncheckedSendableTypeHasNoExtensionInAnotherFile() {
        let types = SourceFile.sources.flatMap { file in
            file.code.filter { $0.contains("@unchecked Sendable") }.compactMap { line in
                let words = line.identifiers
                return words.firstIndex { $0 == "class" || $0 == "struct" }.map { (words[$0 + 1], file.path) }
            }
        }
        #expect(types.contains { $0.0 == "RedisLink" })
        for (type, path) in types {
            let others = SourceFile.sources.filter { file in
                let extended = file.code.filter { $0.hasPrefix("extension ") }.map { $0.identifiers[1] }
                return file.path != path && extended.contains(type)
            }
            #expect(others.map(\.path) == [], "\(type)")
        }
    }

    /// Comments fit into the line width. The formatter wraps only code.
    @Test(arguments: SourceFile.sources + SourceFile.tests + SourceFile.testSupport)
    func commentHasAtMost120Columns(file: SourceFile) {
        for (index, line) in file.lines.enumerated() where line.drop(while: { $0 == " " }).hasPrefix("//") {
            #expect(line.count <= 120, "line \(index + 1)")
        }
    }

    /// No docstring consists only of an article, one word and a full stop.
    @Test(arguments: SourceFile.sources)
    func docstringDoesNotRepeatTheName(file: SourceFile) {
        for (index, line) in file.lines.enumerated() {
            let words = line.split(separator: " ")
            #expect(
                words.count != 3 || words[0] != "///" || !["A", "An", "The", "One"].contains(words[1])
                    || !words[2].hasSuffix("."), "line \(index + 1): \(line)")
        }
    }

    /// A test that hangs fails at its suite's time limit, so every suite needs one: `@Suite(.limited)`.
    @Test(arguments: SourceFile.tests)
    func everySuiteHasATimeLimit(file: SourceFile) {
        for (index, line) in file.code.enumerated() {
            #expect(!line.contains("@Suite") || line.contains(".limited"), "line \(index + 1): \(line)")
            #expect(!line.hasPrefix("@Test"), "line \(index + 1): a test stands in a suite")
            guard !line.hasPrefix(" "), line.contains("Tests"), line.contains("struct ") || line.contains("class ")
            else {
                continue
            }
            let isSuite = line.contains("@Suite") || index > 0 && file.code[index - 1].hasPrefix("@Suite")
            #expect(isSuite, "line \(index + 1): \(line)")
        }
    }

    /// A test waits for a gate or a watched value, not for time to pass.
    @Test(arguments: SourceFile.tests + SourceFile.testSupport)
    func noTestSleeps(file: SourceFile) {
        let sleeps: Set<Substring> = ["usleep", "nanosleep"]
        for line in file.code {
            #expect(line.identifiers.filter { sleeps.contains($0) } == [] && !line.contains("Task.sleep"), "\(line)")
        }
    }

    /// A test that waits in a busy loop occupies a processor core that other tests need.
    @Test(arguments: SourceFile.tests + SourceFile.testSupport)
    func noTestWaitsInABusyLoop(file: SourceFile) {
        #expect(Self.spins(file) == [])
    }

    @Test(arguments: [
        ("while isBusy { await Task.yield() }", [1]), ("if a { while !b { await Task.yield() } }", [1]),
        ("while isBusy {\n    try check()\n    await Task.yield()\n}", [3]),
        ("repeat {\n    if a {\n        await Task.yield()\n    }\n} while b", [3]),
        ("for _ in 0..<7 { await Task.yield() }", []), ("while a { b() }\nawait Task.yield()", []),
        ("while a {\n    b()\n}\nfor _ in c {\n    await Task.yield()\n}", []),
        ("while a {\n    func b() async {\n        await Task.yield()\n    }\n}", []),
    ])
    func busyLoopsAreRecognized(text: String, lines: [Int]) {
        #expect(Self.spins(SourceFile(path: "Tests/X/a.swift", text: text)) == lines)
    }

    /// Returns the numbers of the lines that yield inside a `while` or a `repeat`.
    private static func spins(_ file: SourceFile) -> [Int] {
        file.code.indices.filter { index in
            guard file.code[index].contains("Task.yield()") else { return false }
            // A line opens an enclosing block if it has less indentation than all lines after it.
            var indentation = Int.max
            for line in file.code[...index].reversed() where !line.allSatisfy(\.isWhitespace) {
                let own = line.prefix { $0 == " " }.count
                guard own < indentation else { continue }
                indentation = own
                if line.identifiers.contains("func") { return false }
                if line.identifiers.contains("while") || line.identifiers.first == "repeat" { return true }
            }
            return false
        }.map { $0 + 1 }
    }

    @Test func formatterRefusesForceUnwraps() throws {
        let file = try #require(SourceFile.read(".swift-format"))
        let rules = try #require(try JSONValue(parsing: file.text)["rules"])
        for rule in ["NeverForceUnwrap", "NeverUseForceTry", "NeverUseImplicitlyUnwrappedOptionals"] {
            #expect(rules[rule] == true, "\(rule)")
        }
        for file in SourceFile.sources { #expect(!file.text.contains("swift-format-ignore"), "\(file.path)") }
    }

    @Test func warningsAreErrors() throws {
        let manifest = try #require(SourceFile.read("Package.swift"))
        #expect(manifest.text.contains("let strict: [SwiftSetting] = [\n    .treatAllWarnings(as: .error),"))
        #expect(manifest.text.contains("let lean = strict + ["))
        #expect(manifest.text.contains("let small = lean + ["))
        let targets = ["target", "executableTarget", "testTarget"]
        let declared = manifest.code.flatMap(\.identifiers).filter { targets.contains(String($0)) }
        let strict = manifest.code.filter { line in
            ["strict)", "lean)", "small)"].contains { line.contains("swiftSettings: \($0)") }
                || line.contains("cSettings: [.treatAllWarnings(as: .error)])")
        }
        #expect(declared.count == strict.count && !declared.isEmpty)
        #expect(!manifest.text.contains(".package("), "no outside Swift packages")
    }
}
