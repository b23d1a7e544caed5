import JSON

/// Where something stands in a catalog.
public struct CatalogPlace: Equatable, Sendable {
    /// The included file; nil for the catalog itself.
    public var file: String?
    /// Line and column.
    public let position: JSONPosition

    /// The place as compilers write theirs: `file:line:column`.
    ///
    /// - Parameter catalog: the name of the catalog itself.
    public func text(in catalog: String) -> String { "\(file ?? catalog):\(position.line):\(position.column)" }
}

/// One thing that is wrong in a catalog, and where.
public struct CatalogFault: Error, Equatable, Sendable {
    /// Line and column.
    public let position: JSONPosition
    /// What is wrong and what is expected.
    public let message: String
    /// The included file in which it is; nil for the catalog itself.
    public var file: String?

    init(place: CatalogPlace, message: String) {
        (position, file) = (place.position, place.file)
        self.message = message
    }

    /// Where it is.
    public var place: CatalogPlace { CatalogPlace(file: file, position: position) }

    /// Returns the fault as compilers write theirs, on one line: `file:line:column: message`. Control characters that
    /// the message quotes from the catalog are escaped.
    ///
    /// - Parameters:
    ///   - file: the name of the catalog itself.
    ///   - kind: what stands before the message, such as `warning: `.
    public func description(file: String, kind: String = "") -> String {
        "\(place.text(in: file)): \(kind)\(VisibleText.line(message))"
    }
}

/// Everything that is wrong in a catalog, in the order of the text. Nothing of such a catalog is loaded.
public struct CatalogFaults: Error, Equatable, Sendable {
    /// The faults; at least one, and the first 100 at most.
    public let faults: [CatalogFault]
    /// How many more there are.
    public let more: Int

    package init(faults: [CatalogFault], more: Int) {
        self.faults = faults
        self.more = more
    }

    /// A line for each, as compilers write theirs.
    public func lines(file: String) -> [String] {
        faults.map { $0.description(file: file) }
            + (more > 0 ? ["\(file): and \(more) more fault\(more == 1 ? "" : "s")"] : [])
    }
}
