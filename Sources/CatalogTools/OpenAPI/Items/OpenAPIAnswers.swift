import JSON

/// Finds the items in the schema of an API's answer. Also finds the other values of the answer, such as a page count.
struct OpenAPIAnswers {
    /// The usual names of properties that wrap an item or a list.
    private static let wrappers = ["data", "result", "response", "body", "payload", "_embedded", "embedded"]
    private static let names = [
        "data", "items", "results", "value", "values", "records", "entries", "list", "rows", "objects", "content",
        "elements", "resources", "nodes", "hits", "docs", "members",
    ]
    /// The names of arrays that never contain the items of a list.
    private static let others: Set<String> = ["errors", "warnings"]
    private static let maxDepth = 3

    let document: OpenAPIDocument
    let schemas: OpenAPISchemas

    /// The items in the answer of a list, according to the response schema.
    struct Items {
        /// The path of the items in an answer.
        let path: [String]
        let element: JSONView
        /// Whether the items are ids instead of objects.
        var areIDs = false
        /// The reason for choosing the items among several candidates; nil if there was only one candidate.
        var note: String?
    }

    /// Finds the items in the answer of a list, according to the schema of the answer. Returns nil if no items are
    /// found.
    ///
    /// - Parameter word: the word in the URL path that names the items, such as `pets`.
    func items(in schema: JSONView, of word: String) -> Items? {
        let flat = schemas.flat(schema)
        if flat.kind == "array" { return flat.items.flatMap { items([], $0) } }
        guard flat.isObject || flat.kind == nil else { return nil }
        let own = DraftNames.singular(DraftNames.normalized(word))
        // An array `links` contains links to pages of the list, except in the answer of `/links`.
        let arrays = arrays(in: flat, []).filter { found in
            let name = DraftNames.singular(DraftNames.normalized(found.path.last ?? ""))
            return name != "link" || name == own
        }
        if arrays.count <= 1 { return arrays.first }
        let wanted = [DraftNames.normalized(word)] + Self.names
        for name in wanted {
            guard var found = arrays.first(where: { DraftNames.normalized($0.path.last ?? "") == name }) else {
                continue
            }
            found.note =
                "a guess based on the name; candidates: \(arrays.map { "'\($0.path.joined(separator: "."))'" }.joined(separator: ", "))"
            return found
        }
        // Several arrays of objects are usually properties of one item.
        let top = arrays.filter { $0.path.count == 1 && !$0.areIDs }
        guard top.count == 1, flat.properties.count <= 6, var found = top.first else { return nil }
        found.note = "a guess: the only array of objects at the top level"
        return found
    }

    private func items(_ path: [String], _ element: JSONView) -> Items? {
        let flat = schemas.flat(element)
        switch flat.kind {
        case "string", "integer": return Items(path: path, element: element, areIDs: true)
        case "number", "boolean", "array": return nil
        default: return Items(path: path, element: element)
        }
    }

    private func arrays(in flat: OpenAPISchema, _ path: [String]) -> [Items] {
        var found: [Items] = []
        for (name, view) in flat.properties where !Self.others.contains(name.lowercased()) {
            let inner = schemas.flat(view)
            let place = path + [name]
            if inner.kind == "array", let element = inner.items, let items = items(place, element) {
                // Arrays of strings beside arrays of objects are rarely the items; they are errors, links or names.
                if !items.areIDs || (flat.properties.count <= 2 && path.isEmpty) { found.append(items) }
            } else if inner.isObject, path.count + 1 < Self.maxDepth, Self.wrappers.contains(name.lowercased()) {
                found += arrays(in: inner, place)
            }
        }
        if found.contains(where: { !$0.areIDs }) { found.removeAll { $0.areIDs } }
        return found
    }

    /// Returns the item in the answer of a `get` operation, according to the schema of the answer. The item is the
    /// whole answer, or the only object that the answer wraps.
    ///
    /// - Parameters:
    ///   - names: the names that the wrapped object may have, such as the name of the resource.
    ///   - element: the schema of the list's items. An object with at least half of the members of this schema is
    ///     chosen as the item.
    func item(
        in schema: JSONView, called names: [String], like element: JSONView? = nil
    ) -> (path: [String], schema: JSONView, note: String?)? {
        let flat = schemas.flat(schema)
        if flat.kind == "array" { return nil }
        if flat.isObject, let element, let found = item(in: flat, schema, like: element) { return found }
        guard flat.isObject else { return flat.alternatives.isEmpty && flat.kind != nil ? nil : ([], schema, nil) }
        let known = Self.wrappers + ["item"] + names.map { DraftNames.normalized($0) }
        let objects = flat.properties.filter { property in
            let inner = schemas.flat(property.view)
            return inner.isObject && known.contains(DraftNames.normalized(property.name))
        }
        // An object with its own id is not a wrapper.
        let isItem = flat.property("id") != nil || flat.properties.count > 6
        if objects.count == 1, !isItem, let only = objects.first {
            return (
                [only.name], only.view,
                "a guess: of the objects in the answer, only '\(only.name)' has a name that suggests an item; check it"
            )
        }
        return ([], schema, nil)
    }

    /// Whether the answer of a `get` operation is an item of a list. True if the answer has at least half of the
    /// members that list items have.
    func isItem(_ answer: JSONView, like element: JSONView) -> Bool {
        let flat = schemas.flat(answer)
        return flat.isObject && item(in: flat, answer, like: element) != nil
    }

    /// Returns the part of an answer that has at least half of the members of list items. The part is the answer
    /// itself, an object in it, or the first element of an array.
    private func item(
        in flat: OpenAPISchema, _ schema: JSONView, like element: JSONView
    ) -> (path: [String], schema: JSONView, note: String?)? {
        let wanted = Set(schemas.widest(element).properties.map(\.name))
        guard wanted.count >= 2 else { return nil }
        func has(_ part: OpenAPISchema) -> Bool {
            2 * part.properties.count { wanted.contains($0.name) } >= wanted.count
        }
        if has(flat) { return ([], schema, nil) }
        let note = "has the members of the list's items"
        for (name, view) in flat.properties.prefix(60) {
            let inner = schemas.flat(view)
            if inner.isObject, has(inner) { return ([name], view, note) }
            if inner.kind == "array", let first = inner.items, has(schemas.flat(first)) {
                return ([name, "0"], first, note)
            }
        }
        return nil
    }

    /// Returns the values of the answer that are not items, such as a page count.
    func scalars(in schema: JSONView, besides items: [String]) -> [AnswerScalar] {
        let flat = schemas.flat(schema)
        return flat.isObject ? scalars(in: flat, [], items) : []
    }

    /// Finds an array of links in the answer, and returns the path of the next page's URL in this array. An example of
    /// a path is `links`, `[rel=next]`, `href`. Nil if the answer has no array whose elements contain a relation and a
    /// URL.
    func nextRelation(in schema: JSONView, besides items: [String]) -> [String]? {
        for (name, view) in schemas.flat(schema).properties.prefix(60) where [name] != items {
            guard let element = schemas.flat(view).items.map({ schemas.flat($0) }) else { continue }
            for relation in AnswerScalar.relations {
                let member = String(relation.dropFirst().prefix { $0 != "=" })
                let url = AnswerScalar.urls.first { element.property($0) != nil }
                if let url, element.property(member) != nil { return [name, relation, url] }
            }
        }
        return nil
    }

    private func scalars(in flat: OpenAPISchema, _ path: [String], _ items: [String]) -> [AnswerScalar] {
        var found: [AnswerScalar] = []
        var nested: [AnswerScalar] = []
        for (name, view) in flat.properties.prefix(60) where path + [name] != items {
            let inner = schemas.flat(view)
            let kind = inner.kind ?? alternative(of: inner)
            switch kind {
            case "string":
                let isLink =
                    inner.format == "uri" || inner.format == "url" || inner.format == "uri-reference"
                    || isExampleLink(view)
                found.append(AnswerScalar(path: path + [name], kind: isLink ? .link : .text))
            case "integer", "number": found.append(AnswerScalar(path: path + [name], kind: .integer))
            case "boolean": found.append(AnswerScalar(path: path + [name], kind: .flag))
            case "object" where path.count + 1 < Self.maxDepth:
                nested += scalars(in: inner, path + [name], items)
            case nil where inner.properties.isEmpty:
                found.append(AnswerScalar(path: path + [name], kind: .nothing))
            default: break
            }
        }
        return found + nested
    }

    private func alternative(of flat: OpenAPISchema) -> String? {
        let kinds = flat.alternatives.joined().compactMap { schemas.flat($0).kind }
        return Set(kinds).count == 1 ? kinds[0] : nil
    }

    private func isExampleLink(_ view: JSONView) -> Bool {
        guard let example = document.resolve(view)?["example"]?.string else { return false }
        return example.hasPrefix("http://") || example.hasPrefix("https://") || example.hasPrefix("/")
    }
}
