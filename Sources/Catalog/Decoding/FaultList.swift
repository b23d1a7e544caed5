import JSON

/// The first faults of a text, in its order, while it is read; those beyond are counted. A wrong file may have as many
/// as it has keys, and nobody reads them all.
package struct FaultList {
    /// How many are kept.
    package static let most = 100

    private var kept: [(offset: Int, message: String)] = []
    private var last = -1
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// Notes a fault; its message is made only where it is among the first so far.
    package mutating func add(_ message: () -> String, at offset: Int) {
        count += 1
        if kept.count == Self.most {
            guard offset < last, let index = kept.lastIndex(where: { $0.offset == last }) else { return }
            kept.remove(at: index)
        }
        kept.append((offset, message()))
        last = kept.count == Self.most ? kept.reduce(0) { max($0, $1.offset) } : -1
    }

    /// Adds the faults of a part of the text, which stand at other offsets there.
    ///
    /// - Parameter places: returns the offsets in the text for offsets in the part, in ascending order.
    package mutating func add(_ part: FaultList, at places: ([Int]) -> [Int]) {
        let sorted = part.kept.sorted { $0.offset < $1.offset }
        for (offset, fault) in zip(places(sorted.map(\.offset)), sorted) { add({ fault.message }, at: offset) }
        count += part.count - part.kept.count
    }

    /// The faults with their places. The text is gone through once.
    package func faults(in text: [UInt8]) -> CatalogFaults { faults(in: CatalogFiles(text)) }

    /// The same of several files, whose places are numbers of theirs.
    package func faults(in files: CatalogFiles) -> CatalogFaults {
        let sorted = kept.sorted { $0.offset < $1.offset }
        return CatalogFaults(
            faults: zip(files.places(of: sorted.map(\.offset)), sorted).map {
                CatalogFault(place: $0, message: $1.message)
            },
            more: count - kept.count)
    }
}
