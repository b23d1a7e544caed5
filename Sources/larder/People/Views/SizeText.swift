/// Formats sizes in bytes with a binary unit, such as `1.5 MiB`.
enum SizeText {
    /// Formats a number of bytes with the largest suitable unit and at most one decimal.
    static func of(_ bytes: Int) -> String {
        let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]
        guard let (name, shift) = units.first(where: { bytes >> $0.1 > 0 }) else { return "\(bytes) B" }
        let tenth = (bytes >> (shift - 10)) % 1024 * 10 / 1024
        return tenth == 0 ? "\(bytes >> shift) \(name)" : "\(bytes >> shift).\(tenth) \(name)"
    }
}
