import System

/// Values that are to be stored, as scripts store them: each those of one resource, and not too many, since others wait
/// while it runs.
struct StoreBatches {
    /// What one script stores.
    struct Batch {
        /// The marks of the values' resource.
        let marks: SharedName
        private(set) var names: [SharedName] = []
        /// Each value, its life in milliseconds, and when it was fetched.
        private(set) var arguments: [[UInt8]] = []
        /// When the newest of them was fetched.
        private(set) var fetchedAt = Timestamp(milliseconds: 0)
        private var bytes = 0

        fileprivate init(marks: SharedName) { self.marks = marks }

        fileprivate func hasRoom(for value: [UInt8]) -> Bool {
            names.isEmpty || (names.count < StoreBatches.most.values && bytes + value.count <= StoreBatches.most.bytes)
        }

        fileprivate mutating func append(_ value: [UInt8], of entry: NamedEntry, _ moment: Timestamp) {
            names.append(entry.name)
            let life = StoreBatches.life(keepFor: entry.resource.keepFor)
            arguments += [value, Array(String(life).utf8), Array(String(moment.milliseconds).utf8)]
            bytes += value.count
            fetchedAt = max(fetchedAt, moment)
        }
    }

    /// How many values a batch has at most, and about how many bytes.
    private static let most = (values: 50, bytes: 64 << 10)
    /// For how many milliseconds a value is kept at most.
    private static let longestLife = 7 * 86_400_000

    private(set) var all: [Batch] = []
    /// The last batch of each resource, by the key of its marks.
    private var last: [String: Int] = [:]

    /// Adds a value; one that is too large is left out.
    mutating func add(_ value: [UInt8], of entry: NamedEntry, fetchedAt: Timestamp) {
        guard value.count <= SharedValue.largest else { return }
        let place = place(for: value, under: entry.marks)
        all[place].append(value, of: entry, fetchedAt)
    }

    private mutating func place(for value: [UInt8], under marks: SharedName) -> Int {
        if let place = last[marks.key], all[place].hasRoom(for: value) { return place }
        all.append(Batch(marks: marks))
        last[marks.key] = all.count - 1
        return all.count - 1
    }

    /// For how many milliseconds a value is kept: about as long as it is worth anything, so that not all end at once.
    private static func life(keepFor: Int?) -> Int {
        let life = max(1, min(keepFor ?? longestLife, longestLife))
        return max(1, life + Int.random(in: -life / 10...life / 10))
    }
}
