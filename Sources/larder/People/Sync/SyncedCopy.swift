import Catalog
import JSON

/// Finds the local copy of the list that a call of `RESOURCE/list` reads.
struct SyncedCopy {
    private let resource: ResourceDefinition
    private let scope: JSONObject
    private let filter: JSONObject

    /// Selects the local copy that a call of `RESOURCE/list` with the given params reads.
    init(of resource: ResourceDefinition, for params: JSONObject) {
        self.resource = resource
        scope = JSONObject(resource.scope.compactMap { part in params[part.name].map { (part.name, $0) } })
        filter = Self.object(params["filter"])
    }

    /// Returns the time of the last sync of the copy, as `cache/syncs` reports it. Nil if there is no complete copy.
    func syncedAt(in syncs: JSONValue?) -> JSONValue? {
        syncs?["syncs"]?.elements.first { sync in
            sync["complete"] == true && sync["resource"]?.string == resource.name && Self.isEqual(sync["scope"], scope)
                && Self.isEqual(sync["filter"], filter)
        }?["syncedAt"]
    }

    /// Whether two objects have equal members. The order of the members does not matter, and the number 1 is equal to
    /// the string "1", as in the params of a call.
    private static func isEqual(_ object: JSONValue?, _ other: JSONObject) -> Bool {
        let members = Self.object(object).members
        return members.count == other.members.count
            && members.allSatisfy { text(of: $0.value) == other[$0.key].map(text) }
    }

    private static func object(_ value: JSONValue?) -> JSONObject {
        if case .object(let object)? = value { object } else { JSONObject() }
    }

    private static func text(of value: JSONValue) -> String { value.string ?? value.text }
}
