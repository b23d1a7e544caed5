import JSON
import Protocol
import RPCServer
import System

/// `larder call`: sends one request to a method, in the same way as a client of the server.
enum CallCommand {
    /// Calls a method within this process. Returns the method's result or error.
    static func run(method: String, params: JSONValue, _ process: Process) -> Result<JSONValue, CallFailure> {
        let (result, error) = InProcessClient(process.serving).ask(method, params)
        if let result { return .success(result) }
        return .failure(CallFailure(error: error?.text ?? "no reply", message: error?["message"]?.string ?? "no reply"))
    }
}

/// The error that a method returned to `larder call`.
struct CallFailure: Error, Equatable {
    /// The JSON-RPC error object as text.
    let error: String
    /// The message in the JSON-RPC error object.
    let message: String
}

/// The parameters of `larder call METHOD [key=value | JSON]`.
enum CallArguments {
    private static let maxDepth = 100

    /// Merges the arguments into one JSON object. Each argument is a JSON object or has the form `key=value`. A value
    /// that is not valid JSON counts as a string. A dot in the key creates a nested object: `a.b=1` means `{"a": {"b":
    /// 1}}`.
    ///
    /// - Throws: `UsageError` for an argument in another format, and for conflicting keys, such as `a=1 a.b=2`.
    static func params(_ arguments: [String]) throws(UsageError) -> JSONValue {
        var params = JSONObject()
        var given = GivenKeys()
        for argument in arguments {
            if argument.hasPrefix("{") {
                guard case .object(let object)? = try? JSONValue(parsing: argument) else {
                    throw UsageError(message: "'\(argument)' is not a JSON object")
                }
                for member in object.members {
                    try given.add([member.key])
                    params[member.key] = member.value
                }
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError(message: "'\(argument)' must be key=value or a JSON object")
            }
            let keys = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard keys.count <= maxDepth else {
                throw UsageError(
                    message: "the key of an argument can have at most \(maxDepth) parts separated by dots; shorten the"
                        + " key")
            }
            try given.add(keys)
            put(value(parts[1]), at: keys[...], in: &params)
        }
        return .object(params)
    }

    /// Parses a string as JSON. If the string is not valid JSON, returns the string itself as a JSON string.
    static func value(_ text: String) -> JSONValue { (try? JSONValue(parsing: text)) ?? .string(text) }

    private static func put(_ value: JSONValue, at keys: ArraySlice<String>, in object: inout JSONObject) {
        guard let key = keys.first else { return }
        guard keys.count > 1 else { return object[key] = value }
        var inner = JSONObject()
        if case .object(let present)? = object[key] { inner = present }
        put(value, at: keys.dropFirst(), in: &inner)
        object[key] = .object(inner)
    }
}

/// The keys of `key=value` arguments that already have a value. They reveal conflicts: `a` and `a.b` cannot both have a
/// value.
private struct GivenKeys {
    private var whole: Set<[String]> = []
    private var inParts: Set<[String]> = []

    /// Records that a key has a value. The key is a list of names, such as `["a", "b"]` for `a.b`.
    ///
    /// - Throws: `UsageError` if the key or a conflicting key already has a value. For example, `a` conflicts with
    ///   `a.b`.
    mutating func add(_ keys: [String]) throws(UsageError) {
        let outer = (1..<max(1, keys.count)).map { Array(keys.prefix($0)) }
        if let twice = outer.first(where: { whole.contains($0) }) ?? (inParts.contains(keys) ? keys : nil) {
            throw Self.twice(twice)
        }
        guard whole.insert(keys).inserted else { throw Self.twice(keys) }
        inParts.formUnion(outer)
    }

    private static func twice(_ keys: [String]) -> UsageError {
        UsageError(message: "'\(keys.joined(separator: "."))' is given twice; pass it once")
    }
}
