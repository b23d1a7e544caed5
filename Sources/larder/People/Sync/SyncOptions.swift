import JSON
import System

/// The options of `larder sync`.
struct SyncOptions: Equatable, Sendable {
    /// Whether to read lists from their first page, even if the copies are recent (`--whole`).
    var isWhole = false
    /// Whether to print the changed items (`--changes`).
    var namesChanges = false
    /// Whether the sync may remove more than half of the items (`--accept-removals`).
    var acceptsRemovals = false
    /// The maximum number of requests (`--max-requests`); nil for no limit.
    var maxRequests: Int?
    /// The age in milliseconds above which a local copy is updated (`--max-age`). Nil to update every copy.
    var maxAge: Milliseconds?
    /// The time in milliseconds after which the command ends (`--for`); nil for no limit.
    var maxTime: Milliseconds?

    /// Adds the options to the params of `RESOURCE/sync`.
    func add(to params: inout JSONObject) {
        if isWhole { params["whole"] = true }
        if namesChanges { params["changes"] = true }
        if acceptsRemovals { params["acceptRemovals"] = true }
        params["maxRequests"] = maxRequests.map { .integer($0) }
        params["maxAge"] = maxAge.map { .number("\(Double($0) / 1000)") }
    }
}
