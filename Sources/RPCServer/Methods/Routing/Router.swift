import DataSources
import JSON
import Protocol
import System

/// Every method by its name. The table is made once, from the catalog, and says all that there is.
package struct Router: Sendable {
    private let handlers: [String: any MethodContract]
    private let table: MethodTable

    init(_ handlers: [String: any MethodContract]) {
        self.handlers = handlers
        table = MethodTable(handlers)
    }

    /// The names of all methods, sorted.
    package var methods: [String] { handlers.keys.sorted() }

    /// The handler of a method; nil where there is none of that name.
    package func handler(named name: String) -> (any MethodContract)? { handlers[name] }

    /// The handler of the method that a message names.
    ///
    /// - Throws: `methodNotFound` with the nearest name there is.
    func handler(of envelope: Envelope) throws(RPCError) -> any MethodContract {
        if let handler = table.find(envelope.methodView) { return handler }
        let method = envelope.method
        // A name may be written with escapes.
        if let handler = handlers[method] { return handler }
        throw RPCError(.methodNotFound, "there is no method '\(method.prefix(200))'\(hint(for: method))")
    }

    /// The nearest name, else those of the same resource, else those that do the same for other resources.
    private func hint(for method: String) -> String {
        if let near = Suggestion.nearest(to: method, in: methods) { return "; did you mean '\(near)'?" }
        guard method.utf8.count <= Suggestion.longest, let slash = method.lastIndex(of: "/") else { return "" }
        let own = methods.filter { $0.hasPrefix(method[...slash]) }
        let others = own.isEmpty ? methods.filter { $0.hasSuffix(method[slash...]) } : own
        if others.isEmpty { return "" }
        let more = others.count > 5 ? " and \(others.count - 5) more" : ""
        return "; there is " + others.prefix(5).map { "'\($0)'" }.joined(separator: ", ") + more
    }
}

/// A hash table from names, as they stand in messages, to handlers: no text is made of a name to look it up.
private struct MethodTable: Sendable {
    private let names: [[UInt8]]
    private let handlers: [any MethodContract]
    /// Indices of names, -1 for none. A power of two, at most half full; open addressing with linear probing.
    private let buckets: [Int16]

    init(_ table: [String: any MethodContract]) {
        var size = 16
        while size < table.count * 2 { size *= 2 }
        var buckets = [Int16](repeating: -1, count: size)
        var names: [[UInt8]] = []
        for (index, name) in table.keys.prefix(Int(Int16.max)).enumerated() {
            names.append(Array(name.utf8))
            var at = names[index].withUnsafeBytes { Self.hash($0) } & (size - 1)
            while buckets[at] >= 0 { at = (at + 1) & (size - 1) }
            buckets[at] = Int16(index)
        }
        self.buckets = buckets
        self.names = names
        handlers = table.values.prefix(names.count).map { $0 }
    }

    func find(_ name: JSONView) -> (any MethodContract)? {
        guard let bytes = name.plainContents else { return nil }
        var at = Self.hash(bytes) & (buckets.count - 1)
        while buckets[at] >= 0 {
            let index = Int(buckets[at])
            if name.isPlain(names[index]) { return handlers[index] }
            at = (at + 1) & (buckets.count - 1)
        }
        return nil
    }

    /// Of the length, the first and the last eight bytes.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hash = UInt64(truncatingIfNeeded: bytes.count)
        if bytes.count >= 8 {
            hash ^= bytes.loadUnaligned(as: UInt64.self) &* 0x9E37_79B9_7F4A_7C15
            hash ^= bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self) &* 0xD6E8_FEB8_6659_FD93
        } else {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return Int(truncatingIfNeeded: (hash ^ hash >> 32) &* 0x9E37_79B9 >> 16)
    }
}

/// Finds what a client meant who misspelt it.
package enum Suggestion {
    /// How many bytes a word may have that is looked for among others.
    static let longest = 100

    /// The nearest known name; a word of unreasonable length has none.
    package static func nearest(to word: String, in known: [String]) -> String? {
        word.utf8.count <= longest ? Spelling.nearest(to: word, in: known) : nil
    }
}
