import JSON

/// The location of a value in a catalog file: file, line and column.
public struct CatalogPlace: Equatable, Sendable {
    /// The name of the included file that contains the value; nil for the main catalog file.
    public var file: String?
    public let position: JSONPosition

    /// Returns the location in the form that compilers use: `file:line:column`.
    ///
    /// - Parameter catalog: the name of the main catalog file.
    public func text(in catalog: String) -> String { "\(file ?? catalog):\(position.line):\(position.column)" }
}

/// One error in a catalog, with its location.
public struct CatalogFault: Error, Equatable, Sendable {
    public let position: JSONPosition
    /// The error message: the invalid part of the catalog, the reason, and the expected value.
    public let message: String
    /// The name of the included file that contains the error; nil for the main catalog file.
    public var file: String?

    init(place: CatalogPlace, message: String) {
        (position, file) = (place.position, place.file)
        self.message = message
    }

    /// The location of the error.
    public var place: CatalogPlace { CatalogPlace(file: file, position: position) }

    /// Returns the error on one line, in the form that compilers use: `file:line:column: message`. Control characters
    /// that the message quotes from the catalog are escaped.
    ///
    /// - Parameters:
    ///   - file: the name of the main catalog file.
    ///   - kind: the text before the message, such as `warning: `.
    public func description(file: String, kind: String = "") -> String {
        "\(place.text(in: file)): \(kind)\(VisibleText.line(message))"
    }
}

/// The errors of a catalog, sorted by their locations. A catalog with errors is not loaded.
public struct CatalogFaults: Error, Equatable, Sendable {
    /// The first errors of the catalog: at least 1 and at most 100.
    public let faults: [CatalogFault]
    /// The number of further errors, which `faults` does not contain.
    public let more: Int

    package init(faults: [CatalogFault], more: Int) {
        self.faults = faults
        self.more = more
    }

    /// Returns one line for each error, in the form that compilers use: `file:line:column: message`.
    ///
    /// - Parameter file: the name of the main catalog file.
    public func lines(file: String) -> [String] {
        faults.map { $0.description(file: file) }
            + (more > 0 ? ["\(file): and \(more) more fault\(more == 1 ? "" : "s")"] : [])
    }
}
