import JSON

/// Follows references of a Swagger 2.0 document.
struct SwaggerReferences {
    private static let bundled = "#/\(DocumentBundle.member)/"
    private static let minLimit = 16 << 20
    private static let limitPerByte = 4

    private let document: OpenAPIDocument
    private let limit: Int

    init(_ root: JSONView) {
        document = OpenAPIDocument(root)
        limit = Self.minLimit + Self.limitPerByte * root.token.count
    }

    /// Returns the value itself or, if the value is a reference, the target of the reference. Nil if the reference
    /// cannot be followed.
    func target(of view: JSONView) -> JSONView? { document.resolve(view) }

    /// Replaces a reference to another document by the target of the reference. Returns any other value unchanged. Does
    /// not convert the target from Swagger 2.0.
    ///
    /// - Parameter size: the size of the output so far, in bytes. If this size exceeds a limit, references are returned
    ///   unchanged.
    func inlined(_ view: JSONView, size: Int) -> JSONView {
        guard view["$ref"]?.string?.hasPrefix(Self.bundled) == true, size < limit else { return view }
        return document.resolve(view) ?? view
    }
}
