import JSON

/// Collects the scope of a drafted resource: the parameters that identify the parents of its items. A parameter can
/// have a different name in the scope than in the document.
struct OpenAPIParents {
    let schemas: OpenAPISchemas
    private(set) var scope: [ResourceDraft.Parent] = []
    /// For each path parameter in the document, the name of this parameter in the scope.
    private(set) var names: [String: String] = [:]
    /// For each query parameter in the document, the name of this parameter in the scope.
    private(set) var asked: [String: String] = [:]
    private var taken: Set<String> = []

    init(schemas: OpenAPISchemas) { self.schemas = schemas }

    /// Adds the path parameters of an operation to the scope. If `list` and `get` use different names for the same
    /// parent, the scope contains only the name that was added first.
    ///
    /// - Parameter last: the name of the path parameter that contains the id of the item. It is not added. Nil if the
    ///   path has no such parameter.
    mutating func add(_ operation: OpenAPIOperation?, but last: String?) {
        guard let operation else { return }
        var word = ""
        var position = 0
        for segment in operation.path.segments {
            guard let parameter = segment.parameter else {
                word = segment.prefix
                continue
            }
            defer { position += 1 }
            if parameter == last { continue }
            if names[parameter] != nil { continue }
            if position < scope.count, asked.isEmpty, last == nil {
                names[parameter] = scope[position].name
                continue
            }
            let owner = DraftNames.singular(word)
            names[parameter] = add(
                parameter, wanted: [parameter, owner, "\(owner)_\(parameter)"],
                operation.parameter(parameter, in: "path"))
        }
    }

    /// Adds a required query parameter to the scope. Returns its name in the scope.
    mutating func add(_ parameter: OpenAPIParameter) -> String {
        if let name = asked[parameter.name] { return name }
        let name = add(parameter.name, wanted: [parameter.name, "\(parameter.name)_value"], parameter)
        asked[parameter.name] = name
        return name
    }

    private mutating func add(_ parameter: String, wanted: [String], _ declared: OpenAPIParameter?) -> String {
        let free = wanted.compactMap { DraftNames.scope($0) }.first { !taken.contains($0) }
        let name = free ?? "parent\(scope.count + 1)"
        let flat = declared?.schema.map { schemas.flat($0) }
        let values = flat?.values.compactMap { $0.string } ?? []
        let type: DraftValue =
            switch flat?.kind {
            case "integer", "number", "boolean": .text(flat?.kind ?? "")
            case "string" where (2...40).contains(Set(values).count) && Set(values).count == values.count:
                .array(values.map { .text($0) })
            default: .text("string")
            }
        taken.insert(name)
        scope.append(
            ResourceDraft.Parent(name: name, type: type, note: name == parameter ? nil : "the parameter '\(parameter)'")
        )
        return name
    }
}
