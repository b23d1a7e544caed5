import Model

/// Finds the numbers that identify resources in the cache file. Each number is read once and then cached in memory.
final class ResourceNumbers {
    private let connection: SQLiteConnection
    /// The resource numbers read so far. These numbers stay valid, because rows of the table `resources` are never
    /// deleted.
    private var numbers: [ResourceKey: Int64] = [:]

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Forgets all cached numbers of resources. Must be called after a rollback, because the rolled back transaction
    /// may have added numbers.
    func forget() { numbers = [:] }

    /// Returns the number that identifies a resource in the file; nil if the file has no such resource.
    func number(of resource: ResourceKey) throws(SQLiteError) -> Int64? {
        if let number = numbers[resource] { return number }
        let number = try row(of: resource.fingerprint)
        if let number { numbers[resource] = number }
        return number
    }

    /// Returns the resource keys that a query searches, with their numbers in the cache file. If the query selects
    /// scopes, the result has one key for each matching scope. Otherwise it has at most one key.
    func resources(of query: SearchQuery) throws(SQLiteError) -> [(number: Int64, key: ResourceKey)] {
        guard let scope = query.scope else {
            return try number(of: query.resource).map { [($0, query.resource)] } ?? []
        }
        var found: [(number: Int64, key: ResourceKey)] = []
        try connection.rows(
            "SELECT key, name, fingerprint FROM resources WHERE substr(name, 1, length(?1)) = ?1",
            [.text(query.resource.name + "{")]
        ) { row in
            guard let fingerprint = ResourceKey.Fingerprint(bytes: row.blob(2)) else { return }
            let key = ResourceKey(name: row.text(1), fingerprint: fingerprint)
            if key.isScope(of: query.resource, with: scope) { found.append((row.integer(0), key)) }
        }
        return found
    }

    /// Returns the number that identifies a resource in the file. If the resource has no number, adds a row with a new
    /// number. Must be called inside a write transaction.
    func makeNumber(of resource: ResourceKey) throws(SQLiteError) -> Int64 {
        if let number = numbers[resource] { return number }
        if let number = try row(of: resource.fingerprint) {
            numbers[resource] = number
            return number
        }
        try connection.run(
            "INSERT INTO resources (name, fingerprint) VALUES (?, ?)",
            .text(resource.name), .blob(resource.fingerprint.bytes))
        return connection.lastInsertedRow
    }

    private func row(of fingerprint: ResourceKey.Fingerprint) throws(SQLiteError) -> Int64? {
        try connection.first("SELECT key FROM resources WHERE fingerprint = ?", .blob(fingerprint.bytes)) {
            $0.integer(0)
        }
    }
}

extension ResourceKey.Fingerprint {
    /// The 16 bytes of the fingerprint, most significant byte first.
    fileprivate var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    /// Creates a fingerprint from 16 bytes, most significant byte first. Returns nil for another number of bytes.
    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let words = [0, 8].map { start in bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(high: words[0], low: words[1])
    }
}
