import JSON

/// Guesses which property of an item is its id, from the names of the properties.
struct OpenAPIIDGuess {
    /// Names of properties that are usually ids. Earlier names are preferred, and `id` comes first.
    private static let ids = ["id", "gid", "uid", "uuid", "guid", "sid", "kid"]
    /// Names of properties whose values are often unique, but not always.
    private static let keys = [
        "key", "slug", "login", "username", "sha", "code", "identifier", "handle", "iid", "number", "name",
    ]
    /// Names of properties that can be the id if the path parameter is a number.
    private static let numbers: Set<String> = ["number", "iid", "key", "code", "index"]
    /// The names of properties that contain the item's own URL. The id is extracted from this URL.
    static let links = ["uri", "self", "href", "resourceuri"]
    /// The names of properties that are used as ids if there is no better property.
    private static let last = ["email", "emailaddress", "path", "phonenumber", "url"]
    /// Words that end with the letters "id" but not with the word "id", such as `paid`.
    private static let notIDs = [
        "paid", "valid", "void", "bid", "grid", "android", "hybrid", "solid", "prepaid", "unpaid",
    ]

    let schemas: OpenAPISchemas
    let flat: OpenAPISchema
    /// The name of a single item, such as `pet`, normalized for comparisons.
    let word: String
    let parameter: OpenAPIID.Parameter?
    /// The names of the path parameters that identify parents of the item, normalized for comparisons.
    let scope: Set<String>

    /// Returns the id of the items. Nil if no property can be the id.
    func find() -> ResourceDraft.ID? {
        ids() ?? metadata() ?? only() ?? link() ?? named(Self.keys, isID: false) ?? nested()
            ?? (parameter == nil ? named(Self.last, isID: false) : nil)
    }

    private func ids() -> ResourceDraft.ID? {
        let found = named(Self.ids + ["id", "uuid", "guid", "sid", "gid"].map { word + $0 }, isID: true)
        // If the parameter is a string and the id is a number, the parameter takes the value of another property.
        guard parameter?.kind == "string", found?.type == "integer" else { return found }
        return named(Self.keys, isID: false) ?? found
    }

    /// Returns an id that is a hash of the whole item.
    static let hash = ResourceDraft.ID(
        type: "string", from: [], note: "a guess: no property is unique, so the id is a hash of the whole item")

    /// Returns an id from the first property that has one of the given names and can contain ids. Returns nil if there
    /// is no such property.
    private func named(_ names: [String], isID: Bool) -> ResourceDraft.ID? {
        for name in names {
            guard let found = property(name) else { continue }
            if !isID {
                if parameter?.kind == "integer", !Self.numbers.contains(name), name != "name" { continue }
                if schemas.flat(found.view).isNullable { continue }
            }
            // Some documents declare wrong types for parameters.
            guard let type = name == "id" ? typeOfID(found.view) : schemas.idType(of: found.view, parameter) else {
                continue
            }
            if !isID, parameter?.kind == "string", type != "string" { continue }
            let isSure = isID && name.count <= 4
            let why = parameter.map { "a guess: the item has no property '\($0.name)'" } ?? "a guess based on the name"
            let own = isID && !isSure ? "the name of the item and 'id'" : why
            return ResourceDraft.ID(type: type, from: [found.name], note: isSure ? nil : own)
        }
        return nil
    }

    /// Returns the type of the property `id`. An object without properties is treated as a string, because some
    /// documents declare every value as such an object.
    private func typeOfID(_ view: JSONView) -> String? {
        let inner = schemas.flat(view)
        if inner.isObject, inner.properties.isEmpty, inner.additional == nil { return "string" }
        return schemas.idType(of: view, nil)
    }

    private func property(_ plain: String) -> (name: String, view: JSONView)? {
        flat.properties.first { DraftNames.normalized($0.name) == plain }
    }

    /// Returns the id of a Kubernetes object: its name, and its namespace if it has one.
    private func metadata() -> ResourceDraft.ID? {
        guard parameter == nil, let view = flat.property("metadata") else { return nil }
        let metadata = schemas.flat(view)
        guard metadata.property("name") != nil else { return nil }
        let name = ["metadata", "name"]
        guard metadata.property("namespace") != nil, !scope.contains("namespace") else {
            return ResourceDraft.ID(type: "string", from: name)
        }
        return ResourceDraft.ID(
            type: "string", parts: [["metadata", "namespace"], name], join: "/",
            note: "the id includes the namespace, because a name is unique only within its namespace")
    }

    /// Returns an id from the only property whose name ends with the word "id". Ignores properties that identify a
    /// parent of the item. Returns nil if there is no such property, if there are several, or if the values cannot be
    /// ids.
    private func only() -> ResourceDraft.ID? {
        let ids = flat.properties.filter { property in
            let plain = DraftNames.normalized(property.name)
            return Self.endsWithID(property.name) && !scope.contains(plain)
        }
        guard ids.count == 1, let found = ids.first, let type = schemas.idType(of: found.view, nil) else { return nil }
        if let kind = parameter?.kind, kind == "integer", type != "integer" { return nil }
        return ResourceDraft.ID(
            type: type, from: [found.name], note: "a guess: the only property whose name ends with 'id'; check it")
    }

    /// Whether a name ends with the word "id": `user_id`, `userId`, `InvoiceID`, `externalid`.
    private static func endsWithID(_ name: String) -> Bool {
        guard name.lowercased().hasSuffix("id"), name.count > 2 else { return false }
        return name.hasSuffix("ID") || name.hasSuffix("Id") || name.hasSuffix("_id") || name.hasSuffix("-id")
            || (name.allSatisfy { $0.isLowercase } && !notIDs.contains { name.hasSuffix($0) })
    }

    /// Returns an id that is extracted from the item's own URL; nil if no property can contain this URL.
    func link(_ names: [String] = links) -> ResourceDraft.ID? {
        for name in names {
            guard let found = property(name) else { continue }
            let inner = schemas.flat(found.view)
            guard inner.kind == "string", !inner.isNullable else { continue }
            let example = inner.example?.string ?? (parameter?.hasSlash == true ? "/a/b/" : "/a/b")
            guard example.contains("/"), !example.contains("?"), example.count > 1 else { continue }
            return ResourceDraft.ID(
                type: parameter?.kind == "integer" || parameter?.kind == "number" ? "integer" : "string",
                from: [found.name], match: example.hasSuffix("/") ? "*/{id}/" : "*/{id}",
                note: "extracted from the item's '\(found.name)'")
        }
        return nil
    }

    /// Returns the id of the only object in the item that has an id, such as `track.id` for a saved track.
    private func nested() -> ResourceDraft.ID? {
        let objects = flat.properties.compactMap { property -> (path: [String], type: String)? in
            let inner = schemas.flat(property.view)
            guard inner.isObject,
                let id = inner.properties.first(where: { ["id", "uid", "uuid"].contains($0.name.lowercased()) }),
                let type = schemas.idType(of: id.view, nil)
            else { return nil }
            return ([property.name, id.name], type)
        }
        // An object with its own `get` is more likely to be another item.
        guard objects.count == 1, parameter == nil || flat.properties.count <= 3, let only = objects.first else {
            return nil
        }
        return ResourceDraft.ID(
            type: only.type, from: only.path,
            note: "a guess: of the objects in the item, only this one has an id; check it")
    }
}
