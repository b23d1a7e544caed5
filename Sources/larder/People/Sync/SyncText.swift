import JSON

/// Formats the results of `RESOURCE/sync` and `cache/syncs` for people.
enum SyncText {
    /// Returns the summary of a sync, such as `5 items: 1 added, 0 changed, 2 removed; the copy is complete`.
    static func summary(_ result: JSONValue) -> String {
        func number(_ name: String) -> Int { result[name]?.int ?? 0 }
        let items = OriginText.count(number("items"), "item")
        if result["mode"]?.string == "none" { return "\(items); the copy is recent, so nothing was requested" }
        let counts = ["added", "changed", "removed"].map { "\(number($0)) \($0)" }.joined(separator: ", ")
        let held = number("held")
        let note =
            held > 0
            ? "the list has lost \(OriginText.count(held, "item")), kept as stale; --accept-removals removes them"
            : completeness(result)
        return "\(items): \(counts) (\(OriginText.count(number("requests"), "request"))); \(note)"
    }

    private static func completeness(_ result: JSONValue) -> String {
        switch result["complete"] {
        case .bool(true)?: "the copy is complete"
        case .bool(false)?: "the copy is incomplete"
        default: "the copy may be incomplete"
        }
    }

    /// Returns one line for each change in the result, such as `removed 7` for the item with the id 7. If the result
    /// omits changes, a last line reports their number.
    static func changes(_ result: JSONValue) -> [String] {
        let lines = (result["changes"]?.elements ?? []).map { change in
            "\(change["change"]?.string ?? "") \(change["id"]?.plainText ?? "")"
        }
        let omitted = result["changesOmitted"]?.int ?? 0
        return lines + (omitted > 0 ? ["and \(OriginText.count(omitted, "more change"))"] : [])
    }

    /// Returns the arguments of `larder sync` that update a copy, with quotes for the shell.
    static func arguments(of sync: JSONValue) -> [String] {
        let parts = ["scope", "filter"].flatMap { part -> [String] in
            guard case .object(let object)? = sync[part] else { return [] }
            return object.members.flatMap { CommandHint.words($0.key, $0.value) }
        }
        return [CommandHint.quoted(sync["resource"]?.string ?? "")] + parts
    }

    /// Returns the resource, scope and filter of a local copy as on the command line: `issue owner=a state=b`.
    static func name(of sync: JSONValue) -> String {
        var words = [sync["resource"]?.string ?? ""]
        for part in ["scope", "filter"] {
            guard case .object(let object)? = sync[part] else { continue }
            words += object.members.map { "\($0.key)=\($0.value.plainText)" }
        }
        return words.joined(separator: " ")
    }
}
