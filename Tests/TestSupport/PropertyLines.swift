/// Describes a value by its stored properties, for comparison with a golden file.
public enum PropertyLines {
    /// Returns a line for each property that has no properties itself, such as `apis.0.name: zoo`. The elements of sets
    /// and dictionaries are in alphabetical order.
    ///
    /// - Parameter skipped: the names of properties to leave out.
    public static func of(_ value: Any, skipping skipped: Set<String> = []) -> [String] { lines(value, "", skipped) }

    private static func lines(_ value: Any, _ path: String, _ skipped: Set<String>) -> [String] {
        func step(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            guard let inner = mirror.children.first else { return ["\(path): nil"] }
            return lines(inner.value, path, skipped)
        case .set, .dictionary:
            let elements = mirror.children.map { lines($0.value, "", skipped).joined(separator: ", ") }
            return ["\(path): [\(elements.sorted().joined(separator: "; "))]"]
        case .collection:
            if mirror.children.isEmpty { return ["\(path): []"] }
            if let bytes = value as? [UInt8] { return ["\(path): \(String(decoding: bytes, as: UTF8.self))"] }
            return mirror.children.enumerated().flatMap { lines($1.value, step(String($0)), skipped) }
        default:
            let children = mirror.children.filter { !skipped.contains($0.label ?? "") }
            if children.isEmpty || value is any CustomStringConvertible { return ["\(path): \(value)"] }
            return children.flatMap { lines($0.value, step($0.label ?? ""), skipped) }
        }
    }
}
