import JSON

/// Finds members of objects and elements of arrays in constant time. A container is indexed at its first lookup.
///
/// It holds views into one text, and is used only during the call that handed them out.
package final class MemberIndex {
    /// By the offset of the container in the text.
    private var objects: [Int: [String: JSONView]] = [:]
    private var arrays: [Int: [JSONView]] = [:]

    package init() {}

    /// The value of an object's member; the last one if the key stands twice.
    package func member(_ key: String, of view: JSONView) -> JSONView? {
        if let known = objects[view.offset] { return known[key] }
        let members = Dictionary(view.members.map { ($0.key.string ?? "", $0.value) }) { _, last in last }
        objects[view.offset] = members
        return members[key]
    }

    /// The element of an array; nil beyond its end.
    package func element(_ index: Int, of view: JSONView) -> JSONView? {
        let elements = arrays[view.offset] ?? Array(view.elements)
        arrays[view.offset] = elements
        return elements.indices.contains(index) ? elements[index] : nil
    }
}
