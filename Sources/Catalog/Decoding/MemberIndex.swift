import JSON

/// Finds members of objects and elements of arrays in constant time. A container is indexed at its first lookup.
///
/// The index holds views into one text. It must not outlive the call that provides these views.
package final class MemberIndex {
    /// The members of each object, by the object's offset in the text.
    private var objects: [Int: [String: JSONView]] = [:]
    private var arrays: [Int: [JSONView]] = [:]

    package init() {}

    /// Returns the value of an object's member; the last one if the key occurs twice.
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
