#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Measures the redaction of texts of 1 MiB with 10 secrets. `Benchmarks/redaction/run` builds and runs it.
@main struct Benchmark {
    private static let size = 1 << 20
    private static let rounds = 25

    static func main() {
        let redactor = Redactor(secrets: secrets)
        print("| a text of 1 MiB, 10 secrets | found | time |\n| --- | ---: | ---: |")
        let item = #"{"id": 1, "name": "Rick Sanchez", "status": "Alive", "episode": [1, 2, 3]}, "#
        show("JSON without escapes", redactor, item)
        show("a secret in every KiB", redactor, String(repeating: item, count: 13) + "\(secrets[3]) ")
        show("JSON with an escape in every 20 bytes", redactor, #"{"url": "https:\/\/a.test\/things\/1?a=%20", "#)
        show("nothing but escapes", redactor, #"\u0041\u0042\n\""#)
        show("nothing but percent escapes", redactor, "%41%42%c3%a9")
        show("nothing but percent signs", redactor, "%")
        show("nothing but backslashes", redactor, "\\")
        show("UTF-16", redactor, item.utf16.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }.flatMap(\.self))
    }

    /// Secrets that look like API tokens.
    private static let secrets: [String] = {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
        return (0..<10).map { _ in "tok_" + String((0..<36).compactMap { _ in letters.randomElement() }) }
    }()

    private static func show(_ name: String, _ redactor: Redactor, _ part: String) {
        show(name, redactor, Array(part.utf8))
    }

    private static func show(_ name: String, _ redactor: Redactor, _ part: [UInt8]) {
        var text: [UInt8] = []
        while text.count < size { text += part }
        text.removeLast(text.count - size)
        var times: [Int] = []
        for _ in 0..<rounds {
            let start = processorTime
            _ = redactor.redact(text)
            times.append(processorTime - start)
        }
        let redacted = redactor.redact(text)
        let found = redacted == text ? 0 : String(decoding: redacted, as: UTF8.self).split(separator: "***").count - 1
        print("| \(name) | \(found) | \(Double(times.sorted()[rounds / 2] / 100) / 10) ms |")
    }

    /// The processor time of this thread in microseconds. Load from unrelated processes affects this time less than the
    /// elapsed time.
    private static var processorTime: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
    }
}
