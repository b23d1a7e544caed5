import JSON
import Protocol

/// An argument of a tool.
struct ToolArgument: Sendable {
    let name: String
    let schema: JSONSchema
    var isRequired = false
}

/// The hints that tell a host how safe a tool is (`ToolAnnotations`).
struct ToolHints: Sendable {
    let isReadOnly: Bool
    /// Whether the tool may call an API.
    let isOpenWorld: Bool
}

/// The outcome of a tool's `begin`: a JSON object, or the work that produces this object.
enum ToolStep {
    case answered([UInt8])
    /// The answer requires work.
    case work(@Sendable (Scope) async throws(RPCError) -> [UInt8])
}

extension ToolContract {
    /// Writes the tool as an element of `tools/list`. The order of the members never changes, so that the host's prompt
    /// cache stays valid.
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
        // No tool destroys data, and repeating a call has no further effect.
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
