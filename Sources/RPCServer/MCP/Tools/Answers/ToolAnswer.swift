import JSON
import Protocol
import System

/// A successful answer of a tool.
struct ToolAnswer: Sendable {
    /// The answer as one JSON object.
    let json: [UInt8]
    /// Links to the items that the answer contains, for MCP clients that can open links.
    var links: [ItemLink] = []
}

/// A link to an item (`ResourceLink`). MCP clients show the link to the user, who can open or attach the item.
struct ItemLink: Sendable {
    /// The maximum number of links in one answer.
    static let limit = 10

    let uri: String
    /// The name of the link: the item's resource and id.
    let name: String
    /// The time at which the API returned the item; nil if the time is not known.
    let fetchedAt: Timestamp?

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("type")
        writer.string("resource_link")
        writer.key("uri")
        writer.string(uri)
        writer.key("name")
        writer.string(name)
        writer.key("mimeType")
        writer.string("application/json")
        writer.key("annotations")
        writer.beginObject()
        // The link is for the user only. The model has already received the item.
        writer.key("audience")
        writer.raw(#"["user"]"#)
        if let fetchedAt {
            writer.key("lastModified")
            writer.append("\"")
            writer.append(moment: fetchedAt.milliseconds)
            writer.append("\"")
        }
        writer.endObject()
        writer.endObject()
    }
}
