import JSON

/// The nodes of a YAML document in the order of the text. Aliases are not expanded.
struct YAMLTree {
    /// The maximum nesting depth of YAML nodes. JSON values have the same maximum.
    static let maxDepth = 512

    /// One node of the document. Its children start at the next index. For a mapping, keys and values alternate.
    struct Node {
        enum Content {
            case scalar(YAMLScalar, text: [UInt8])
            case sequence
            case mapping
            /// An alias, with the index of the node that it refers to.
            case alias(Int)
        }

        let content: Content
        let line: Int
        let column: Int
        /// The index of the first node after this node and its children. It is 0 while the node is being parsed.
        var end: Int
        /// Whether the node is a plain `<<`. A key with this name merges the mappings in its value.
        var isMerge = false
    }

    private(set) var nodes: [Node] = []
    private var anchors: [String: Int] = [:]
    private var open: [Int] = []

    /// Parses a YAML text that contains exactly one document.
    ///
    /// - Throws: `YAMLFault` at the first position that is not YAML, has no JSON equivalent or repeats a key.
    init(_ text: UnsafeBufferPointer<UInt8>) throws(YAMLFault) {
        let events = try YAMLEvents(text)
        var documents = 0
        while true {
            let event = try events.next()
            switch event.kind {
            case .streamEnd:
                guard !nodes.isEmpty else { throw YAMLFault(reason: "there is no value", line: 1, column: 1) }
                return
            case .documentStart:
                documents += 1
                if documents > 1 { throw Self.fault("a second document starts", event) }
            case .scalar: try add(scalar: event)
            case .alias: try add(alias: event)
            case .sequenceStart: try add(.sequence, event)
            case .mappingStart: try add(.mapping, event)
            case .sequenceEnd: close()
            case .mappingEnd:
                if let mapping = open.last { try checkKeys(of: mapping) }
                close()
            case .other: break
            }
        }
    }

    /// Returns the index of the node to which an alias refers. For any node that is not an alias, returns the node's
    /// own index.
    func target(_ index: Int) -> Int {
        if case .alias(let target) = nodes[index].content { target } else { index }
    }

    /// Returns the indices of a node's children.
    func children(_ index: Int) -> [Int] {
        var found: [Int] = []
        var at = index + 1
        while at < nodes[index].end {
            found.append(at)
            at = nodes[at].end
        }
        return found
    }

    /// Returns the content of a mapping's key; empty if the key is not a scalar.
    func key(_ index: Int) -> [UInt8] {
        if case .scalar(_, let text) = nodes[target(index)].content { text } else { [] }
    }

    private mutating func add(scalar event: YAMLEvent) throws(YAMLFault) {
        guard let scalar = YAMLScalar(event.text, isPlain: event.isPlain, tag: event.tag) else {
            throw Self.fault("the value must have the type of its tag (such as !!int)", event)
        }
        try add(.scalar(scalar, text: event.text), event)
        nodes[nodes.count - 1].isMerge = event.isPlain && event.tag == nil && event.text.elementsEqual("<<".utf8)
        nodes[nodes.count - 1].end = nodes.count
    }

    private mutating func add(alias event: YAMLEvent) throws(YAMLFault) {
        let name = event.anchor ?? ""
        let shown = VisibleText.line(name, limit: 100)
        guard let target = anchors[name] else {
            throw Self.fault("the anchor '&\(shown)' is missing before the alias '*\(shown)'", event)
        }
        guard nodes[target].end > 0 else { throw Self.fault("the alias '*\(shown)' contains itself", event) }
        nodes.append(
            Node(content: .alias(target), line: event.line, column: event.column, end: nodes.count + 1))
    }

    private mutating func add(_ content: Node.Content, _ event: YAMLEvent) throws(YAMLFault) {
        if let anchor = event.anchor { anchors[anchor] = nodes.count }
        let isContainer = event.kind != .scalar
        guard !isContainer || open.count < Self.maxDepth else {
            throw Self.fault("nested deeper than \(Self.maxDepth) levels", event)
        }
        if isContainer { open.append(nodes.count) }
        nodes.append(Node(content: content, line: event.line, column: event.column, end: 0))
    }

    private mutating func close() { if let last = open.popLast() { nodes[last].end = nodes.count } }

    /// Checks that the keys of a mapping are scalars and that no key is repeated. Must be called before the mapping is
    /// closed.
    private func checkKeys(of mapping: Int) throws(YAMLFault) {
        var lines: [[UInt8]: Int] = [:]
        var at = mapping + 1
        while at < nodes.count {
            let node = nodes[at]
            guard case .scalar(_, let text) = nodes[target(at)].content else {
                throw YAMLFault(
                    reason: "a key must be a single value, not a list or a mapping", line: node.line,
                    column: node.column)
            }
            if let first = lines.updateValue(node.line, forKey: text) {
                let name = VisibleText.line(String(decoding: text, as: UTF8.self), limit: 100)
                throw YAMLFault(
                    reason: "the key '\(name)' of line \(first) must not be repeated", line: node.line,
                    column: node.column)
            }
            at = node.end < nodes.count ? nodes[node.end].end : nodes.count
        }
    }

    private static func fault(_ reason: String, _ event: YAMLEvent) -> YAMLFault {
        YAMLFault(reason: reason, line: event.line, column: event.column)
    }
}
