import Protocol

/// Every method by its name. The table is made once, from the catalog, and says all that there is.
struct Router: Sendable {
    private let handlers: [String: any Handler]

    init(_ handlers: [String: any Handler]) { self.handlers = handlers }

    /// The names of all methods, sorted.
    var methods: [String] { handlers.keys.sorted() }

    /// The handler of a method.
    ///
    /// - Throws: `methodNotFound` with the nearest name there is.
    func handler(of method: String) throws(RPCError) -> any Handler {
        if let handler = handlers[method] { return handler }
        let hint = Suggestion.nearest(to: method, in: methods).map { "; did you mean '\($0)'?" } ?? ""
        throw RPCError(.methodNotFound, "there is no method '\(method.prefix(200))'\(hint)")
    }
}
