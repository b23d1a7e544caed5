import JSON
import Model
import System

/// The params of `RESOURCE/sync`: `{"filter"?, "maxAge"?, "whole"?, "maxRequests"?, "changes"?, "acceptRemovals"?,
/// "workDoneToken"?}`.
public struct SyncParams: MethodParams, Equatable, Sendable {
    private static let maxAge = Parameter(
        "maxAge", Parameters.maxAge.expected, "If the copy is at most this old, nothing is requested.",
        schema: Parameters.maxAge.schema()
    ) { Quantity.milliseconds($0) }
    private static let whole = flag(
        "whole", "Whether to read the whole list from its first page, however recent the copy is.")
    private static let maxRequests = Parameter(
        "maxRequests", "a number from 1",
        "The largest number of requests; the next call continues. No limit if absent.", schema: .integer(from: 1)
    ) { view in
        view.integer.flatMap { $0 >= 1 ? $0 : nil }
    }
    private static let changes = flag("changes", "Whether the result names up to 1000 changed items.")
    private static let acceptRemovals = flag(
        "acceptRemovals", "Whether the call may remove more than half of more than 100 items.")

    public static let declared = ParameterList(
        Parameters.filter.optional, maxAge.optional, whole.optional, maxRequests.optional, changes.optional,
        acceptRemovals.optional, Parameters.workDoneToken.optional)

    public var filter: FilterParam?
    /// The maximum age of the local copy of the list, in milliseconds. If the copy is complete and not older, the sync
    /// does not update it. If nil, the sync always updates the copy.
    public var maxAge: Milliseconds?
    /// Whether the sync reads the whole list instead of only the changes since the previous sync.
    public var isWhole = false
    /// The maximum number of requests to the API; nil for no limit.
    public var maxRequests: Int?
    /// Whether the result contains the list of changed items.
    public var namesChanges = false
    public var acceptsRemovals = false

    public init(_ reader: ParamsReader) throws(RPCError) {
        let (filter, maxAge, whole, maxRequests, changes, acceptRemovals, _) = try Self.declared.read(reader)
        (self.filter, self.maxAge, self.maxRequests) = (filter, maxAge, maxRequests)
        (isWhole, namesChanges, acceptsRemovals) = (whole ?? false, changes ?? false, acceptRemovals ?? false)
    }

    private static func flag(_ name: StaticString, _ summary: String) -> Parameter<Bool> {
        Parameter(name, "true or false", summary, schema: .boolean) { $0.bool }
    }
}

/// The result of `RESOURCE/sync`: `{"mode", "requests", "added", "changed", "removed", "held"?, "items", "syncedAt",
/// "wholeAt", "deletions", "complete", "changes"?, "changesOmitted"?}`.
public struct SyncResult: RPCResult, Equatable {
    /// The maximum number of changes that one result lists. The member `changesOmitted` contains the number of further
    /// changes.
    public static let maxChanges = 1000

    public static let schema = JSONSchema.object(
        [
            .required(
                "mode",
                .one(of: ["none", "since", "token", "whole"])
                    .described("Whether the whole list was read, only its changes, or nothing."))
        ]
            + JSONSchema.counts("requests", "added", "changed", "removed", "items") + [
                .optional(
                    "held",
                    .count.described("Items that became stale, because more than half of the items would be removed.")),
                .required("syncedAt", JSONSchema.moment.orNull.described("The start of the last run that ended.")),
                .required("wholeAt", JSONSchema.moment.orNull.described("The start of the last complete whole run.")),
                .required(
                    "deletions",
                    .one(of: ["told", "walked", "unknown"])
                        .described("Whether this call found out which items are gone, and how.")),
                .required(
                    "complete",
                    .boolean.orNull.described("Whether the copy has all items of the list; null if unknown.")),
                .optional(
                    "changes",
                    .array(
                        of: .object([
                            .required("change", .one(of: ["added", "changed", "removed"])),
                            .required("id", .any(of: [.integer, .string])),
                        ]))),
                .optional("changesOmitted", .count),
            ])

    private let members: JSONObject

    public init(_ members: JSONObject) { self.members = members }

    public func write(to writer: inout JSONWriter) { writer.value(.object(members)) }
}

/// The result of `cache/syncs`: `{"syncs": [{"resource", "scope"?, "filter"?, "items", "syncedAt", "wholeAt",
/// "complete"}], "others": [{"resource", "scope"?, "filter"?, "items", "syncedAt"}]}`.
///
/// `syncs` lists the local copies of lists. `others` lists copies that were made with other credentials or another
/// catalog.
public struct SyncsResult: RPCResult, Equatable {
    public static let schema = JSONSchema.object([
        .required(
            "syncs",
            .array(
                of: .object([
                    .required("resource", .string), .optional("scope", .object), .optional("filter", .object),
                    .required("items", .count), .required("syncedAt", JSONSchema.moment.orNull),
                    .required("wholeAt", JSONSchema.moment.orNull),
                    .required(
                        "complete",
                        .boolean.described("Whether the copy certainly had all items of the list after the last run.")),
                ]))),
        .required(
            "others",
            .array(
                of: .object([
                    .required("resource", .string), .optional("scope", .object), .optional("filter", .object),
                    .required("items", .count), .required("syncedAt", JSONSchema.moment.orNull),
                ])
            ).described(
                "Copies of lists that have no copy in 'syncs'. They were made with other credentials or another catalog."
            )
        ),
    ])

    private let syncs: [JSONObject]
    private let others: [JSONObject]

    public init(_ syncs: [JSONObject], others: [JSONObject]) { (self.syncs, self.others) = (syncs, others) }

    public func write(to writer: inout JSONWriter) {
        writer.value(["syncs": .array(syncs.map { .object($0) }), "others": .array(others.map { .object($0) })])
    }
}
