import JSON

/// The params of `larder call METHOD [key=value | JSON]`.
enum CallArguments {
    private static let maxDepth = 100

    /// The params: objects in JSON, and `key=value` where a value is JSON or else a string, and a dot in the key nests.
    ///
    /// - Throws: `UsageError` for an argument that is neither.
    static func params(_ arguments: [String]) throws(UsageError) -> JSONValue {
        var params = JSONObject()
        for argument in arguments {
            if argument.hasPrefix("{") {
                guard case .object(let object)? = try? JSONValue(parsing: argument) else {
                    throw UsageError(message: "'\(argument)' is not a JSON object")
                }
                for member in object.members { params[member.key] = member.value }
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError(message: "'\(argument)' must be key=value or a JSON object")
            }
            let keys = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            // Params that no reader of JSON would follow.
            guard keys.count <= maxDepth else {
                throw UsageError(message: "an argument nests deeper than \(maxDepth) levels")
            }
            let value = (try? JSONValue(parsing: parts[1])) ?? .string(parts[1])
            put(value, at: keys[...], in: &params)
        }
        return .object(params)
    }

    private static func put(_ value: JSONValue, at keys: ArraySlice<String>, in object: inout JSONObject) {
        guard let key = keys.first else { return }
        guard keys.count > 1 else { return object[key] = value }
        var inner = JSONObject()
        if case .object(let present)? = object[key] { inner = present }
        put(value, at: keys.dropFirst(), in: &inner)
        object[key] = .object(inner)
    }
}
