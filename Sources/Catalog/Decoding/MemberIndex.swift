import JSON

/// Finds members of objects and elements of arrays in constant time. An object or array is indexed at its first lookup.
///
/// The index stores views of one parsed document and must not be used after that document is released.
package final class MemberIndex {
    /// For each object, its members by key. Objects are identified by their byte offset in the text.
    private var objects: [Int: [String: JSONView]] = [:]
    private var arrays: [Int: [JSONView]] = [:]

    package init() {}

    /// Returns the value of an object's key. If the key occurs twice, returns the last value.
    package func member(_ key: String, of view: JSONView) -> JSONView? {
        if let known = objects[view.offset] { return known[key] }
        let members = Dictionary(view.members.map { ($0.key.string ?? "", $0.value) }) { _, last in last }
        objects[view.offset] = members
        return members[key]
    }

    /// Returns an element of an array; nil if the index is out of range.
    package func element(_ index: Int, of view: JSONView) -> JSONView? {
        let elements = arrays[view.offset] ?? Array(view.elements)
        arrays[view.offset] = elements
        return elements.indices.contains(index) ? elements[index] : nil
    }
}
