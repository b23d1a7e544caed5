import JSON
import Model

/// The params of `initialize`: `{"processId"?, "trace"?, ...}`. The server ignores all other members, because LSP
/// clients send many more.
public struct InitializeParams: MethodParams, Equatable, Sendable {
    private static let processId = Parameter(
        "processId", "an integer", "The client's process id: the server exits soon after that process.",
        schema: .integer(from: .min)
    ) { $0.integer }
    private static let trace = Parameter(
        "trace", TraceValue.expected, "The amount of log messages about requests.", schema: TraceValue.schema
    ) { TraceValue($0) }

    public static let declared = ParameterList(processId.optional, trace.optional, isOpen: true)

    /// The process id of the client. The server exits soon after the client process has exited.
    public let processId: Int?
    public let trace: TraceValue?

    public init(_ reader: ParamsReader) throws(RPCError) {
        (processId, trace) = try Self.declared.read(reader)
    }
}

/// The result of `initialize`: `{"serverInfo": {"name", "version"}, "capabilities": {...}}`.
public struct InitializeResult: RPCResult, Equatable {
    public static let schema = JSONSchema.object([
        .required("serverInfo", .object([.required("name", .string), .required("version", .string)])),
        .required(
            "capabilities",
            .object([
                .required("framing", .array(of: .string)), .required("cachePolicies", .array(of: .string)),
                .required("resources", .array(of: .string)),
                .required(
                    "localMethods",
                    .array(of: .string).described(
                        "The methods that never wait for an API; * means the name of any resource.")),
            ])),
    ])

    private let version: String
    private let resources: [String]
    private let localMethods: [String]

    /// Creates the result of `initialize`.
    ///
    /// - Parameters:
    ///   - resources: the names of the catalog's resources.
    ///   - localMethods: the methods that never wait for an API. In these names, `*` means any resource.
    public init(version: String, resources: [String], localMethods: [String]) {
        self.version = version
        self.resources = resources
        self.localMethods = localMethods
    }

    public func write(to writer: inout JSONWriter) {
        writer.value([
            "serverInfo": ["name": "larder", "version": .string(version)],
            "capabilities": [
                "framing": ["newline", "contentLength"],
                "cachePolicies": .array(CachePolicy.allCases.map { .string($0.rawValue) }),
                "resources": .array(resources.map { .string($0) }),
                "localMethods": .array(localMethods.map { .string($0) }),
            ],
        ])
    }
}

/// The params of `$/cancelRequest`: `{"id"}`. The server ignores other members, as in LSP.
public struct CancelParams: MethodParams, Equatable, Sendable {
    private static let requestId = Parameter(
        "id", "the id of a request", "The request to cancel.", schema: .any(of: [.string, .number])
    ) { RequestID($0) }

    public static let declared = ParameterList(requestId.required, isOpen: true)

    public let id: RequestID

    public init(_ reader: ParamsReader) throws(RPCError) {
        id = try Self.declared.read(reader)
    }
}

/// The level of detail of the server's trace messages (LSP, `TraceValue`). The client chooses the level.
public enum TraceValue: String, CaseIterable, Sendable {
    case off, messages, verbose

    fileprivate static let expected = "one of \(Parameters.quoted(allCases))"
    fileprivate static let schema = JSONSchema.one(of: allCases.map(\.rawValue))

    fileprivate init?(_ view: JSONView) {
        guard let value = Self.allCases.first(where: { view.isString($0.rawValue) }) else { return nil }
        self = value
    }
}

/// The params of `$/setTrace`: `{"value"}`.
public struct TraceParams: MethodParams, Equatable, Sendable {
    private static let level = Parameter(
        "value", TraceValue.expected, "The amount of log messages from now on.", schema: TraceValue.schema
    ) { TraceValue($0) }

    public static let declared = ParameterList(level.required)

    public let value: TraceValue

    public init(_ reader: ParamsReader) throws(RPCError) {
        value = try Self.declared.read(reader)
    }
}
