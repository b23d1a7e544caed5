import JSON

/// Collects the errors of a catalog or document. The list stores the 100 errors that come first in the text, and only
/// counts the other errors. The limit exists because every key of an invalid file can cause an error.
package struct FaultList {
    /// The maximum number of stored errors.
    package static let maxCount = 100

    private var kept: [(offset: Int, message: String)] = []
    private var last = -1
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// Adds an error. `message` is called only if the error is stored.
    ///
    /// - Parameter offset: the error's byte offset in the text, or its location number (see `CatalogFiles`).
    package mutating func add(_ message: () -> String, at offset: Int) {
        count += 1
        if kept.count == Self.maxCount {
            guard offset < last, let index = kept.lastIndex(where: { $0.offset == last }) else { return }
            kept.remove(at: index)
        }
        kept.append((offset, message()))
        last = kept.count == Self.maxCount ? kept.reduce(0) { max($0, $1.offset) } : -1
    }

    /// Adds the errors of an embedded document, such as a GraphQL document in a string of the catalog.
    ///
    /// - Parameters:
    ///   - part: the errors of the embedded document, with byte offsets in the embedded document.
    ///   - places: converts ascending offsets in the embedded document to offsets in the whole text.
    package mutating func add(_ part: FaultList, at places: ([Int]) -> [Int]) {
        let sorted = part.kept.sorted { $0.offset < $1.offset }
        for (offset, fault) in zip(places(sorted.map(\.offset)), sorted) { add({ fault.message }, at: offset) }
        count += part.count - part.kept.count
    }

    /// Returns the stored errors with their lines and columns in a text. The offsets of all errors must be byte offsets
    /// in this text, which is scanned only once.
    package func faults(in text: [UInt8]) -> CatalogFaults { faults(in: CatalogFiles(text)) }

    /// Returns the stored errors of several files, with their locations. The offsets of the errors must be location
    /// numbers (see `CatalogFiles`).
    package func faults(in files: CatalogFiles) -> CatalogFaults {
        let sorted = kept.sorted { $0.offset < $1.offset }
        return CatalogFaults(
            faults: zip(files.places(of: sorted.map(\.offset)), sorted).map {
                CatalogFault(place: $0, message: $1.message)
            },
            more: count - kept.count)
    }
}
