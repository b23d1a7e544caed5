/// The nodes of a text while it is parsed, in memory of their own: to append one costs no check but that of the room.
struct JSONNodes {
    private(set) var base: UnsafeMutablePointer<JSONNode>
    private(set) var count = 0
    private var capacity: Int

    /// No nodes, and room for some. Whoever made it must `deallocate` it.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
        base = .allocate(capacity: self.capacity)
    }

    func deallocate() { base.deallocate() }

    mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func append(_ node: JSONNode) {
        if count == capacity { grow() }
        // A node is plain bytes: nothing has to be deinitialised before or after.
        (base + count).initialize(to: node)
        count &+= 1
    }

    /// Notes where a container ends, and what follows it. Returns its parent, which stood in `next` until then.
    @inline(__always)
    mutating func close(_ container: UInt32, end: Int) -> UInt32 {
        let node = base + Int(container)
        let parent = node.pointee.next
        node.pointee.end = UInt32(truncatingIfNeeded: end)
        node.pointee.next = UInt32(truncatingIfNeeded: count)
        return parent
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<JSONNode>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }
}
