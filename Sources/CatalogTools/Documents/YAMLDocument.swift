import JSON

/// Converts YAML to JSON.
enum YAMLDocument {
    /// Converts a YAML document to JSON. Expands aliases and applies merge keys (`<<`).
    ///
    /// - Throws: `YAMLFault` if the document is not YAML, cannot be expressed in JSON or repeats a key. Also throws
    ///   `YAMLFault` if aliases expand to far more data than the document contains.
    static func json(_ text: [UInt8]) throws(YAMLFault) -> [UInt8] {
        let readable = YAMLCharacters.readable(text)
        let tree = try readable.withUnsafeBufferPointer { (text) throws(YAMLFault) in try YAMLTree(text) }
        var expansion = YAMLExpansion(tree, size: readable.count)
        return try expansion.json()
    }
}

/// Writes the nodes of a YAML document as JSON.
struct YAMLExpansion {
    /// The part of `budget` that is the same for every document. The other part grows with the size of the document.
    private static let minBudget = 4 << 20
    private static let budgetPerByte = 16

    private let tree: YAMLTree
    private var writer: JSONWriter
    /// The number of bytes and nodes that may still be written. This limit bounds the work for nested aliases.
    private var budget: Int

    init(_ tree: YAMLTree, size: Int) {
        self.tree = tree
        budget = min(Self.minBudget + Self.budgetPerByte * size, max(CatalogImport.largest, 2 * size))
        writer = JSONWriter(capacity: size)
    }

    /// Returns the document as JSON.
    ///
    /// - Throws: `YAMLFault` if the document expands to more bytes and nodes than the limit.
    mutating func json() throws(YAMLFault) -> [UInt8] {
        try write(0, depth: 0)
        return writer.bytes
    }

    private mutating func write(_ index: Int, depth: Int) throws(YAMLFault) {
        switch tree.nodes[index].content {
        case .alias(let target): try write(target, depth: depth)
        case .scalar(let scalar, let text):
            try charge(text.count + 1, index, depth)
            switch scalar {
            case .null: writer.null()
            case .bool(let value): writer.bool(value)
            case .number(let digits): writer.literal(digits)
            case .string: writer.string(utf8: text)
            }
        case .sequence:
            try charge(2, index, depth + 1)
            writer.beginArray()
            for child in tree.children(index) { try write(child, depth: depth + 1) }
            writer.endArray()
        case .mapping:
            try charge(2, index, depth + 1)
            writer.beginObject()
            for member in try members(of: index, depth: depth + 1) {
                let key = tree.key(member.key)
                try charge(key.count + 1, member.key, depth)
                writer.key(text: String(decoding: key, as: UTF8.self))
                try write(member.value, depth: depth + 1)
            }
            writer.endObject()
        }
    }

    private typealias Member = (key: Int, value: Int)

    /// Returns the members of a mapping, followed by the members that the mapping's merge key adds. A merged member is
    /// left out if an earlier member has the same key.
    private mutating func members(of mapping: Int, depth: Int) throws(YAMLFault) -> [Member] {
        var own: [Member] = []
        var merged: Int?
        let children = tree.children(mapping)
        for index in stride(from: 0, to: children.count - 1, by: 2) {
            if tree.nodes[children[index]].isMerge {
                merged = children[index + 1]
            } else {
                own.append((children[index], children[index + 1]))
            }
        }
        guard let merged else { return own }
        var known = Set(own.map { tree.key($0.key) })
        for source in try sources(merged) {
            try charge(1, source, depth)
            for member in try members(of: source, depth: depth + 1) {
                try charge(1, member.key, depth)
                if known.insert(tree.key(member.key)).inserted { own.append(member) }
            }
        }
        return own
    }

    /// Returns the mappings that a merge key refers to: one mapping, or a sequence of mappings. Earlier mappings take
    /// precedence.
    private func sources(_ value: Int) throws(YAMLFault) -> [Int] {
        let target = tree.target(value)
        var sources = [target]
        if case .sequence = tree.nodes[target].content { sources = tree.children(target).map { tree.target($0) } }
        for source in sources {
            guard case .mapping = tree.nodes[source].content else {
                let node = tree.nodes[value]
                throw YAMLFault(
                    reason: "the value of the key '<<' must be a mapping, or a sequence of mappings", line: node.line,
                    column: node.column)
            }
        }
        return sources
    }

    private mutating func charge(_ cost: Int, _ index: Int, _ depth: Int) throws(YAMLFault) {
        budget -= cost
        let node = tree.nodes[index]
        if budget < 0 {
            throw YAMLFault(
                reason: "the aliases expand to too much data; use fewer aliases", line: node.line, column: node.column)
        }
        if depth > YAMLTree.maxDepth {
            throw YAMLFault(
                reason: "nested deeper than \(YAMLTree.maxDepth) levels", line: node.line, column: node.column)
        }
    }
}
