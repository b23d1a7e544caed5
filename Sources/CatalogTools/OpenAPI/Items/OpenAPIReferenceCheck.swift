import JSON

/// Finds operations whose answers contain references that cannot be followed.
///
/// The import leaves out these operations, because their drafts would have no fields.
struct OpenAPIReferenceCheck {
    let document: OpenAPIDocument
    let schemas: OpenAPISchemas
    let answers: OpenAPIAnswers

    /// Sets `list` and `get` to nil if their answers cannot be read. Returns the reason for each removed operation.
    func remove(_ list: inout OpenAPIOperation?, _ get: inout OpenAPIOperation?) -> [OpenAPIResources.LeftPath] {
        var faults: [OpenAPIResources.LeftPath] = []
        if let operation = list, let fault = fault(ofList: operation) {
            faults.append(OpenAPIResources.LeftPath(path: operation.path.text, reason: "left out; \(fault)"))
            list = nil
        }
        if let operation = get, let fault = fault(ofItem: operation) {
            faults.append(OpenAPIResources.LeftPath(path: operation.path.text, reason: "left out; \(fault)"))
            get = nil
        }
        return faults
    }

    /// Returns the reasons why the draft leaves out parameters of the operations.
    static func parameterFaults(_ operations: OpenAPIOperation?...) -> [String] {
        OpenAPISchemas.unique(operations.flatMap { $0?.parameterFaults ?? [] })
    }

    /// Returns the reason why the schema of a list's items cannot be read; nil if it can be read.
    func fault(ofList operation: OpenAPIOperation) -> String? {
        if let fault = operation.fault { return fault }
        guard let answer = operation.answer else { return nil }
        if let fault = schemas.fault(of: answer) { return fault }
        let items = answers.items(in: answer, of: operation.words.first ?? "")
        return items.map { schemas.fault(of: $0.element) } ?? faults(in: answer).first { $0 != nil } ?? nil
    }

    /// Returns the reason why an item cannot be read. Nil if at least one field of the item can be read.
    private func fault(ofItem operation: OpenAPIOperation) -> String? {
        if let fault = operation.fault { return fault }
        guard let answer = operation.answer else { return nil }
        if let fault = schemas.fault(of: answer) { return fault }
        let faults = faults(in: answer)
        return faults.allSatisfy { $0 != nil } ? faults.first ?? nil : nil
    }

    /// Checks each property in the schema of an answer. Returns one element per property: the reason why the property
    /// cannot be read, or nil if it can be read.
    private func faults(in answer: JSONView) -> some Collection<String?> {
        schemas.flat(answer).properties.lazy.map { schemas.fault(of: $0.view) }
    }
}
