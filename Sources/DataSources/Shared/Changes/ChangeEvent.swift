import System

/// What one process tells all others of a change: which kind, by whom, when what is new was fetched, and which names
/// are concerned. It holds no value.
///
/// As text: `KIND WRITER FETCHEDAT HASH HASH ...`, with one space between the words; hashes are hexadecimal digits.
struct ChangeEvent: Equatable, Sendable {
    enum Kind: String, Sendable {
        /// Values were stored that differ from what was there.
        case changed
        /// Entries were removed.
        case removed
        /// Entries were marked stale.
        case stale
        /// All entries of a resource were removed; its marks are named.
        case resourceRemoved
        /// All entries of a resource were marked stale; its marks are named.
        case resourceStale
        /// Nothing: the stream begins.
        case begun
    }

    let kind: Kind
    let writer: String
    /// When what was stored was fetched; the moment of the change for all others.
    let fetchedAt: Timestamp
    let hashes: [[UInt8]]

    init(kind: Kind, writer: String, fetchedAt: Timestamp, hashes: [[UInt8]]) {
        self.kind = kind
        self.writer = writer
        self.fetchedAt = fetchedAt
        self.hashes = hashes
    }

    /// An event from its text; nil where it is none.
    init?(_ text: [UInt8]) {
        let words = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count >= 3, let kind = Kind(rawValue: String(decoding: words[0], as: UTF8.self)),
            let moment = Int64(String(decoding: words[2], as: UTF8.self))
        else { return nil }
        var hashes: [[UInt8]] = []
        for word in words[3...] {
            guard word.count == 64, let hash = SHA256.bytes(hex: word) else { return nil }
            hashes.append(hash)
        }
        self.init(
            kind: kind, writer: String(decoding: words[1], as: UTF8.self),
            fetchedAt: Timestamp(milliseconds: moment), hashes: hashes)
    }

    var text: [UInt8] {
        let words = [kind.rawValue, writer, String(fetchedAt.milliseconds)] + hashes.map { SHA256.hex($0) }
        return Array(words.joined(separator: " ").utf8)
    }
}
