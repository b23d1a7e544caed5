import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Compares the hit ratio of SIEVE with that of LRU at the same size. Benchmarks/README.md contains the figures.
@Suite(.limited) struct SieveHitRatioTests {
    private static let keys = 20_000
    private static let room = 1000

    /// Returns requests for keys by Zipf's law: the n-th key is requested in proportion to 1/n.
    private static func zipf(_ count: Int) -> [Int] {
        var sums: [Double] = []
        for key in 1...keys { sums.append((sums.last ?? 0) + 1 / Double(key)) }
        var random = SeededGenerator(seed: 42)
        return (0..<count).map { _ in
            let point = Double.random(in: 0..<(sums.last ?? 1), using: &random)
            var (low, high) = (0, sums.count)
            while low < high {
                let middle = (low + high) / 2
                if sums[middle] <= point { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// Returns a request for each key once, as when all pages of a list are read.
    private static func scan(_ count: Int, from first: Int) -> [Int] { Array(first..<first + count) }

    private static let traces: [(name: String, keys: [Int], mustWin: Bool)] = {
        let zipf = Self.zipf(100_000)
        var mixed: [Int] = []
        for part in 0..<20 {
            mixed += zipf[part * 5000..<(part + 1) * 5000]
            mixed += Self.scan(2000, from: keys + part * 2000)
        }
        return [
            ("Zipf", zipf, true), ("Zipf, and a scan of 2,000 after every 5,000 requests", mixed, true),
            ("scans of 1,500 again and again", (0..<20).flatMap { _ in scan(1500, from: 0) }, false),
        ]
    }()

    private static func sieve(_ trace: [Int]) -> Double {
        func item(_ key: Int) -> ItemEntity { LocalEntries.item(String(1_000_000 + key), json: "{}") }
        var store = SieveStore(limit: item(0).cost * room)
        for key in trace where store.read(item(key).key) == nil { store.save(item(key)) }
        #expect(store.count <= room)
        return Double(store.hits) / Double(trace.count)
    }

    private static func lru(_ trace: [Int]) -> Double {
        var hits = 0
        var lastUses: [Int: Int] = [:]
        var queue: [(key: Int, time: Int)] = []
        var oldest = 0
        for (time, key) in trace.enumerated() {
            if lastUses.updateValue(time, forKey: key) != nil { hits += 1 }
            queue.append((key, time))
            while lastUses.count > room {
                let (key, time) = queue[oldest]
                oldest += 1
                // An entry that was used again has a later element in the queue, which must be kept.
                if lastUses[key] == time { lastUses[key] = nil }
            }
        }
        return Double(hits) / Double(trace.count)
    }

    @Test func sieveHitRatioIsAtLeastAsHighAsTheLRUHitRatio() {
        for trace in Self.traces {
            let (sieve, lru) = (Self.sieve(trace.keys), Self.lru(trace.keys))
            print("hit ratio, \(trace.name): SIEVE \(Self.percent(sieve)), LRU \(Self.percent(lru))")
            #expect(sieve >= lru, "\(trace.name)")
            if trace.mustWin { #expect(sieve > lru, "\(trace.name)") }
        }
    }

    private static func percent(_ ratio: Double) -> String {
        let tenths = Int((ratio * 1000).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }
}
