import JSON
import TestSupport
import Testing

/// What no file of the product has.
@Suite(.limited) struct StyleTests {
    @Test(arguments: SourceFile.sources)
    func nothingStopsTheProcess(file: SourceFile) {
        let banned: Set<Substring> = [
            "fatalError", "preconditionFailure", "precondition", "assertionFailure", "unsafelyUnwrapped",
        ]
        for line in file.code {
            #expect(!line.contains("try!") && !line.contains("as!"))
            #expect(line.identifiers.filter { banned.contains($0) } == [], "\(line)")
        }
    }

    /// Every unsafe annotation has its reason on the line, or just above or below it.
    @Test(arguments: SourceFile.sources)
    func whatIsUnsafeHasItsReason(file: SourceFile) {
        let (lines, code) = (file.lines, file.code)
        #expect(lines.count == code.count)
        for (index, line) in code.enumerated() {
            let isUnsafe = ["@unchecked", "nonisolated(unsafe)", "unowned(unsafe)", "Unmanaged", "unsafeBitCast"]
                .contains {
                    line.contains($0)
                }
            guard isUnsafe else { continue }
            let around = max(0, index - 2)...min(lines.count - 1, index + 1)
            #expect(around.contains { lines[$0].contains("//") }, "line \(index + 1): \(line)")
        }
    }

    /// Swift's own pool waits for ever where there is no thread, on the thread that wants one.
    @Test(arguments: SourceFile.sources)
    func tasksRunOnThePool(file: SourceFile) {
        for line in file.code {
            for word in [" Task {", "Task.detached", "Task.sleep", "Task(priority", "Task(executorPreference: nil"] {
                #expect(!line.contains(word), "\(line)")
            }
        }
    }

    @Test(arguments: SourceFile.sources)
    func aFileIsShort(file: SourceFile) {
        // A newline ends the last line, and behind it an empty one is counted.
        #expect(file.lines.count <= 321)
    }

    /// A test that hangs fails at its suite's limit. So every test stands in a suite that has one: `@Suite(.limited)`.
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

    /// A test waits at a gate or for a watched value, and lets no time pass.
    @Test(arguments: SourceFile.tests + SourceFile.testSupport)
    func noTestSleeps(file: SourceFile) {
        let sleeps: Set<Substring> = ["usleep", "nanosleep"]
        for line in file.code {
            #expect(line.identifiers.filter { sleeps.contains($0) } == [] && !line.contains("Task.sleep"), "\(line)")
        }
    }

    @Test func theFormatterRefusesForceUnwraps() throws {
        let file = try #require(SourceFile.read(".swift-format"))
        let rules = try #require(try JSONValue(parsing: file.text)["rules"])
        for rule in ["NeverForceUnwrap", "NeverUseForceTry", "NeverUseImplicitlyUnwrappedOptionals"] {
            #expect(rules[rule] == true, "\(rule)")
        }
        for file in SourceFile.sources { #expect(!file.text.contains("swift-format-ignore"), "\(file.path)") }
    }

    @Test func warningsAreErrors() throws {
        let manifest = try #require(SourceFile.read("Package.swift"))
        #expect(manifest.text.contains("treatAllWarnings(as: .error)"))
        let targets = ["target", "executableTarget", "testTarget"]
        let declared = manifest.code.flatMap(\.identifiers).filter { targets.contains(String($0)) }
        let strict = manifest.code.flatMap(\.identifiers).filter { $0 == "swiftSettings" || $0 == "cSettings" }
        #expect(declared.count == strict.count && !declared.isEmpty)
        #expect(!manifest.text.contains(".package("), "no outside Swift packages")
    }
}
