import JSON

/// Builds a GraphQL document that requests items of one type. The document follows a route: the path of fields from the
/// query root to these items.
struct GraphQLDocumentText {
    private static let maxShown = 20

    private let route: GraphQLRoute
    private let target: GraphQLSchema.Definition
    private var variables: [String] = []
    private var calls: [String] = []
    /// The GraphQL fields that describe a page, such as a page count, and the index of the route's step that returns
    /// the object with these fields.
    var asked: (step: Int, text: String)?

    init(_ route: GraphQLRoute, to target: GraphQLSchema.Definition) { (self.route, self.target) = (route, target) }

    /// Appends the next field of the route to the document, with its arguments. Declares a variable for each argument.
    mutating func call(_ field: GraphQLSchema.Field, _ arguments: [(GraphQLSchema.Input, variable: String)]) {
        variables += arguments.map { "$\($0.variable): \($0.0.type.text)" }
        let sent = arguments.map { "\($0.0.name): $\($0.variable)" }.joined(separator: ", ")
        calls.append(arguments.isEmpty ? field.name : "\(field.name)(\(sent))")
    }

    /// Returns the GraphQL document. `fields` is the selection within each item.
    func text(_ fields: String) -> DraftValue {
        var (inner, left) = (fields, calls)
        for (index, step) in route.steps.enumerated().reversed() {
            if let asked, asked.step == index, !asked.text.isEmpty { inner = "\(asked.text) \(inner)" }
            switch step {
            case .call: inner = "\(left.popLast() ?? "") { \(inner) }"
            case .field(let name): inner = "\(name) { \(inner) }"
            case .fragment(let type, let errors):
                inner = "... on \(type) { \(inner) }"
                guard !errors.isEmpty else { continue }
                let messages = withMessage(errors, beside: type)
                inner = (["__typename"] + messages.map { "... on \($0) { message }" } + [inner]).joined(separator: " ")
            case .elements: break
            }
        }
        let head = variables.isEmpty ? "query" : "query (\(variables.joined(separator: ", ")))"
        return .text("\(head) { \(inner) }")
    }

    /// Returns error rules for the error types in the GraphQL unions on the path to the items. Returns nil if these
    /// unions have no error types.
    func errorRules() -> DraftLine? {
        var rules: [DraftValue] = []
        for (index, step) in route.steps.enumerated() {
            guard case .fragment(let type, let errors) = step, !errors.isEmpty else { continue }
            let path = ["data"] + route.path(index)
            let hasMessage = !withMessage(errors, beside: type).isEmpty
            for isMissing in [true, false] {
                let names = errors.map(\.name).filter { $0.contains("NotFound") == isMissing }
                if names.isEmpty { continue }
                var rule: [DraftLine] = [
                    .member("when", .selector(path + ["__typename"])), .member("is", .array(names.map { .text($0) })),
                ]
                if isMissing { rule.append(.text("kind", "notFound")) }
                if hasMessage { rule.append(.member("message", .selector(path + ["message"]))) }
                rules.append(.object(rule))
            }
        }
        return rules.isEmpty ? nil : .member("errors", .array(rules))
    }

    /// Returns the names of the error types for which the GraphQL document selects the field `message`. In all of these
    /// types, the field has the same string type.
    private func withMessage(_ errors: [GraphQLSchema.Definition], beside member: String) -> [String] {
        // Fields with the same name must have the same type, even in different fragments.
        let own = member == target.name ? target.field("message") : nil
        let first = own ?? errors.compactMap { $0.field("message") }.first
        guard let type = first?.type, type.element == nil, type.name == "String" else { return [] }
        return errors.filter { $0.field("message")?.type.text == type.text }.prefix(Self.maxShown).map(\.name)
    }
}
