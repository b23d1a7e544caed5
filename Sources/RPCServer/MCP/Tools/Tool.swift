import JSON
import Protocol

/// An argument of a tool.
struct ToolArgument: Sendable {
    let name: String
    let schema: JSONSchema
    var isRequired = false
}

/// What a host may take a tool for (`ToolAnnotations`).
struct ToolHints: Sendable {
    let isReadOnly: Bool
    /// Whether it asks others than this machine.
    let isOpenWorld: Bool
}

/// The answer of a tool: one JSON object.
enum ToolStep {
    case answered([UInt8])
    /// The answer takes work, done in a task of its own.
    case work(@Sendable (Scope) async throws(RPCError) -> [UInt8])
}

extension ToolContract {
    /// The tool as `tools/list` shows it. The order of the members is the same each time, so that a host's cache of
    /// prompts stays good.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("name")
        writer.string(name)
        writer.key("title")
        writer.string(title)
        writer.key("description")
        writer.string(description)
        writer.key("inputSchema")
        writer.value(
            JSONSchema.object(
                arguments.map { $0.isRequired ? .required($0.name, $0.schema) : .optional($0.name, $0.schema) }
            ).json)
        writer.key("annotations")
        writer.beginObject()
        writer.key("readOnlyHint")
        writer.bool(hints.isReadOnly)
        // None destroys anything, and to call it twice is to call it once.
        writer.key("destructiveHint")
        writer.bool(false)
        writer.key("idempotentHint")
        writer.bool(true)
        writer.key("openWorldHint")
        writer.bool(hints.isOpenWorld)
        writer.endObject()
        writer.endObject()
    }
}
