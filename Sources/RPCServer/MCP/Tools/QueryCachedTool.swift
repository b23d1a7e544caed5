import Catalog
import DataSources
import JSON
import Protocol

/// `query_cached`: runs an SQL statement over all cached items, without a request to an API.
struct QueryCachedTool: ToolContract {
    private static let defaultMaxRows = 100

    let table: ResourceTable
    let guide: ResourceGuide
    let handler: QueryHandler

    var name: String { "query_cached" }
    var title: String { "Query cached items" }

    var description: String {
        "Runs a SQLite SELECT over cached items, without network. `describe_resource` has each table's columns."
            + guide.subject(of: table.resources)
    }

    var arguments: [ToolArgument] {
        [
            ToolArgument(name: "sql", form: .text, schema: .string, isRequired: true),
            ToolSchemas.count("maxRows", byDefault: Self.defaultMaxRows),
            ToolArgument(
                name: "coverage", form: .text,
                schema: JSONSchema.choice(of: QueryParams.Coverage.allCases.map(\.rawValue))
                    .described("synced: fail if a table may lack items.")),
        ]
    }

    var outputSchema: JSONSchema { ToolAnswerSchemas.query }

    var hints: ToolHints { ToolHints(isReadOnly: true, isOpenWorld: false) }

    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep {
        var params = try QueryParams(arguments.params)
        if arguments["maxRows"] == nil { params.maxRows = Self.defaultMaxRows }
        return .work { [params] (_) async throws(RPCError) in
            do throws(RPCError) { return try json(try await handler.answer(params)) } catch { throw advised(error) }
        }
    }

    private func json(_ result: QueryResult) throws(RPCError) -> ToolAnswer {
        var writer = JSONWriter(capacity: min(result.rows.count, ToolOutput.largest) + 256)
        writer.beginObject()
        // Models read the start of an answer most reliably.
        writer.key("coverage")
        writer.string(result.tables.isEmpty ? "no tables" : result.tables.map(Self.coverage).joined(separator: "; "))
        writer.key("columns")
        writer.value(.array(result.columns.map { .string($0) }))
        writer.key("rows")
        let shown = try Self.write(result.rows, to: &writer)
        writer.key("truncated")
        writer.bool(result.isTruncated || shown < result.count)
        writer.endObject()
        return ToolAnswer(json: writer.bytes)
    }

    /// Writes as many rows as fit into one answer, and returns their number.
    ///
    /// - Throws: `queryLimit` if the first row does not fit.
    private static func write(_ rows: [UInt8], to writer: inout JSONWriter) throws(RPCError) -> Int {
        let tokens = (try? JSONDocument(rows))?.withRoot { $0.elements.map { Array($0.token) } } ?? []
        if let first = tokens.first, first.count > ToolOutput.largest {
            throw RPCError(
                .queryLimit,
                "a row has \(first.count) bytes, but an answer at most \(ToolOutput.largest): select fewer columns, or"
                    + " parts of the texts with substr()",
                data: JSONObject([("kind", "queryLimit"), ("limit", "memory")]))
        }
        let range = ToolOutput.shown(of: tokens.count) { tokens[$0].count }
        writer.beginArray()
        for token in tokens[range] { writer.splice(token) }
        writer.endArray()
        return range.count
    }

    /// Returns the coverage of a table as a phrase, such as `issue: 120 items, synced 40 s ago`.
    private static func coverage(_ table: JSONObject) -> String {
        func text(_ name: String) -> String { table[name]?.plainText ?? "" }
        let items = "\(text("name")): \(text("rows")) items"
        let damaged = table["damaged"] == nil ? "" : ", \(text("damaged")) damaged rows left out"
        switch text("coverage") {
        case QueryTableReport.Coverage.synced.rawValue:
            let isCertain = table["deletions"] != "unknown"
            return "\(items), a complete copy, synced \(text("age")) s ago"
                + (isCertain ? "" : ", but deleted items may remain") + damaged
        case QueryTableReport.Coverage.empty.rawValue: return "\(text("name")): nothing is cached"
        default: return "\(items), maybe not all" + damaged
        }
    }

    private static func elements(_ value: JSONValue?) -> [JSONValue] {
        if case .array(let elements)? = value { elements } else { [] }
    }

    /// Replaces the message of a `notSynced` error with a message that names the next tool call for the AI model.
    /// Returns any other error unchanged.
    private func advised(_ error: RPCError) -> RPCError {
        guard error.code == .notSynced else { return error }
        let resources = Set(
            Self.elements(error.data["calls"]).compactMap { call -> String? in
                call["method"].map { String($0.plainText.dropLast("/sync".count)) }
            })
        let synced = table.resources.filter { $0.hasSyncTool && resources.contains($0.name) }.map { "'\($0.name)'" }
        let call = synced.isEmpty ? "" : "call sync_list for \(synced.joined(separator: ", ")), or "
        let tables = Self.elements(error.data["tables"]).map { "'\($0.plainText)'" }.joined(separator: ", ")
        return RPCError(
            error.code, "no complete copy of \(tables): \(call)leave out 'coverage' to query what is cached",
            data: error.data)
    }
}
