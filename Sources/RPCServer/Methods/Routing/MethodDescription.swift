import Protocol

/// What a method is, in words and schemas. Its params describe themselves.
struct MethodDescription: Sendable {
    let tag: Tag
    /// What it does, in a sentence.
    let summary: String
    /// What else there is to know; empty for nothing.
    var details = ""
    /// The schemas that a catalog makes narrower than the params' own, by the parameter's name.
    var narrowed: [String: JSONSchema] = [:]
    /// The params that a catalog makes required besides.
    var required: Set<String> = []
    /// What its result looks like; nil for a notification.
    let result: JSONSchema?
    /// The errors that it may answer with besides those that every request may get.
    var errors: [RPCError.Code] = []

    /// What methods belong to.
    enum Tag: Sendable {
        case lifecycle, server, cache, recents
        case resource(String)

        var name: String {
            switch self {
            case .lifecycle: "lifecycle"
            case .server: "server"
            case .cache: "cache"
            case .recents: "recents"
            case .resource(let name): name
            }
        }
    }

    /// The errors that every request may get.
    static let commonErrors: [RPCError.Code] = [.invalidRequest, .invalidParams, .internalError, .requestCancelled]
}
