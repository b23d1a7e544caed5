import JSON
import System

/// What this machine has removed or marked stale, as long as the shared level may not know of it: older values of that
/// level count as absent or stale.
///
/// What the server has acknowledged is forgotten, as the server knows of it. Where nothing is written, or the server is
/// not reached, it stays for as long as a value may live. It is kept in the cache file, for the processes that come
/// later (`text`).
final class LocalRemovals: Sendable {
    /// What was removed: the key of an entry, or of the marks of a resource, which stands for all of its entries.
    struct Removal: Hashable, Sendable {
        /// What it is of.
        let name: SharedName
        /// The key of the marks of its resource.
        let marks: SharedName
        /// Whether it was removed; else it was marked stale.
        let isRemoval: Bool
    }

    /// How many are kept. With more, all entries of their resources are meant.
    static let most = 2000

    private let moments = Lock<[Removal: Timestamp]>([:])

    /// Notes removals of this moment.
    func note(_ removals: [Removal], at now: Timestamp) {
        moments.withLock { moments in
            for removal in removals { moments[removal] = now }
            if moments.count > Self.most { moments = Self.widened(moments) }
        }
    }

    /// What was noted before, by this process or another one. Returns what of it counts still.
    @discardableResult
    func note(text: String, since oldest: Timestamp) -> Set<Removal> {
        guard case .array(let lines)? = try? JSONValue(parsing: text) else { return [] }
        return moments.withLock { moments in
            var noted: Set<Removal> = []
            for line in lines {
                guard let (removal, moment) = Self.read(line), moment > oldest else { continue }
                moments[removal] = max(moments[removal] ?? moment, moment)
                noted.insert(removal)
            }
            return noted
        }
    }

    /// The server knows of these: they are kept no longer, unless they were noted anew since.
    func acknowledge(_ acknowledged: [Removal: Timestamp]) {
        moments.withLock { moments in
            for (removal, moment) in acknowledged where moments[removal] == moment { moments[removal] = nil }
        }
    }

    /// All, and when each was noted.
    var all: [Removal: Timestamp] { moments.withLock { $0 } }

    /// Whether a value that was fetched at a moment is outranked: nil where it is not, else whether it is absent, and
    /// not only stale.
    func outranks(_ name: SharedName, marks: SharedName, fetchedAt: Timestamp) -> Bool? {
        moments.withLock { moments in
            if moments.isEmpty { return nil }
            func has(_ name: SharedName, _ isRemoval: Bool) -> Bool {
                moments[Removal(name: name, marks: marks, isRemoval: isRemoval)].map { fetchedAt <= $0 } ?? false
            }
            if has(name, true) || has(marks, true) { return true }
            return has(name, false) || has(marks, false) ? false : nil
        }
    }

    /// All as text, for the file; nil where there is none.
    var text: String? {
        let moments = all
        if moments.isEmpty { return nil }
        return JSONValue.array(
            moments.map { removal, moment in
                [
                    "key": .string(removal.name.key), "marks": .string(removal.marks.key),
                    "removed": .bool(removal.isRemoval), "at": .number(String(moment.milliseconds)),
                ]
            }
        ).text
    }

    private static func read(_ line: JSONValue) -> (Removal, Timestamp)? {
        guard case .string(let key)? = line["key"], case .string(let marks)? = line["marks"],
            case .bool(let isRemoval)? = line["removed"], case .number(let digits)? = line["at"],
            let at = Int64(digits), let name = SharedName(key: key), let resource = SharedName(key: marks)
        else { return nil }
        return (Removal(name: name, marks: resource, isRemoval: isRemoval), Timestamp(milliseconds: at))
    }

    private static func widened(_ moments: [Removal: Timestamp]) -> [Removal: Timestamp] {
        var wide: [Removal: Timestamp] = [:]
        for (removal, moment) in moments {
            let whole = Removal(name: removal.marks, marks: removal.marks, isRemoval: removal.isRemoval)
            wide[whole] = max(wide[whole] ?? moment, moment)
        }
        return wide
    }
}

extension SharedName {
    /// The name that has a key; nil where it is none.
    fileprivate init?(key: String) {
        let digits = key.utf8.suffix(65).prefix(64)
        guard key.utf8.count > 66, digits.count == 64, key.utf8.last == UInt8(ascii: "}"),
            let hash = SHA256.bytes(hex: digits)
        else { return nil }
        self.init(hash: hash, key: key)
    }
}
