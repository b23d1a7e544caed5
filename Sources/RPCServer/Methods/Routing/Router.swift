import DataSources
import JSON
import Protocol
import System

/// The handlers of all methods by method name. Each loaded catalog gets its own router.
package struct Router: Sendable {
    private static let listHint = "; 'rpc.discover' lists the methods"

    private let handlers: [String: any MethodContract]
    private let table: MethodTable

    init(_ handlers: [String: any MethodContract]) {
        self.handlers = handlers
        table = MethodTable(handlers)
    }

    /// The names of all methods, sorted.
    package var methods: [String] { handlers.keys.sorted() }

    /// Returns the handler of a method; nil if there is no such method.
    package func handler(named name: String) -> (any MethodContract)? { handlers[name] }

    /// Returns the handler of the method that a message names.
    ///
    /// - Throws: `methodNotFound` with a hint, such as the most similar method name.
    func handler(of envelope: Envelope) throws(RPCError) -> any MethodContract {
        if let handler = table.find(envelope.methodView) { return handler }
        let method = envelope.method
        // The method name may contain JSON escapes, which the byte comparison above does not decode.
        if let handler = handlers[method] { return handler }
        throw RPCError(.methodNotFound, "there is no method '\(method.prefix(200))'\(hint(for: method))")
    }

    /// Returns a hint about an unknown method: a similar name, the methods of the same group, or how to list all
    /// methods.
    private func hint(for method: String) -> String {
        if let near = Suggestion.nearest(to: method, in: methods) { return "; did you mean '\(near)'?" }
        guard method.utf8.count <= Suggestion.maxLength, let slash = method.lastIndex(of: "/") else {
            return Self.listHint
        }
        let own = methods.filter { $0.hasPrefix(method[...slash]) }
        let others = own.isEmpty ? methods.filter { $0.hasSuffix(method[slash...]) } : own
        if others.isEmpty { return Self.listHint }
        let more = others.count > 5 ? " and \(others.count - 5) more" : ""
        return "; there is " + others.prefix(5).map { "'\($0)'" }.joined(separator: ", ") + more
    }
}

/// A hash table of handlers. A lookup compares the bytes in the message and creates no string.
private struct MethodTable: Sendable {
    private let names: [[UInt8]]
    private let handlers: [any MethodContract]
    /// The buckets of the hash table. Each bucket contains the index of a method; an empty bucket contains -1. The
    /// number of buckets is a power of two.
    private let buckets: [Int16]

    init(_ table: [String: any MethodContract]) {
        var size = 16
        while size < table.count * 2 { size *= 2 }
        var buckets = [Int16](repeating: -1, count: size)
        var names: [[UInt8]] = []
        // The sorted order makes the buckets, and so the time of a lookup, the same in all runs.
        let methods = table.sorted { $0.key < $1.key }.prefix(Int(Int16.max))
        for (index, method) in methods.enumerated() {
            names.append(Array(method.key.utf8))
            var at = names[index].withUnsafeBytes { Self.hash($0) } & (size - 1)
            while buckets[at] >= 0 { at = (at + 1) & (size - 1) }
            buckets[at] = Int16(index)
        }
        self.buckets = buckets
        self.names = names
        handlers = methods.map(\.value)
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

    /// Computes a hash of a method's name. The hash of a long name includes only the length, the first eight bytes and
    /// the last eight bytes.
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
