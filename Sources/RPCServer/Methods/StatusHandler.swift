import DataSources
import JSON
import Model
import Protocol
import System

/// `server/status`: returns the state of the server and lists its degraded components, such as unreachable APIs.
struct StatusHandler: Handler {
    let catalog: String
    let loadedAt: Timestamp
    let resources: [String]
    /// The APIs that the server cannot call, each with the reason. A catalog reload can change this list.
    let unreachable: [(api: String, reason: String)]
    let board: StatusBoard
    let limiters: RequestLimiters
    let redactor: Redactor
    let clock: any ClockContract
    let startedAt: Timestamp

    /// The members of the method's result, with their schemas and values.
    private static let table = ObjectTable<(handler: StatusHandler, session: Session)>([
        .text("version") { _ in Version.current },
        .count("pid") { _ in Int(getpid()) },
        .value("uptime", .seconds) { .number($0.handler.uptime) },
        .value("catalog", .string.described("The file, or \"built-in\".")) {
            .string($0.handler.redactor.redact($0.handler.catalog))
        },
        .value("loadedAt", .moment.described("When the catalog was loaded.")) { .string($0.handler.loadedAt.rfc3339) },
        .value("resources", .array(of: .string)) { .array($0.handler.resources.map { .string($0) }) },
        .count("inFlight") { $0.session.pending.unanswered },
        .value("degraded", .array(of: parts.schema)) { status in
            .array(status.handler.degraded.map { parts.json(($0, status.handler.redactor)) })
        },
    ])

    private static let parts = ObjectTable<(part: DegradedPart, redactor: Redactor)>([
        .text("part", \.part.part), .text("reason") { $0.redactor.redact($0.part.reason) },
        .value("since", .moment) { .string($0.part.since.rfc3339) },
    ])

    var description: MethodDescription {
        MethodDescription(
            tag: .server, summary: "Returns the server's state and the parts that do not work.",
            result: Self.table.schema)
    }

    func begin(
        _ params: NoParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        result.value(Self.table.json((self, session)))
        return .answered
    }

    /// The seconds since the server started, with three decimals.
    private var uptime: String {
        let uptime = max(0, clock.now().milliseconds - startedAt.milliseconds)
        return "\(uptime / 1000).\(String(uptime % 1000 + 1000).dropFirst())"
    }

    /// The failed components, the unreachable APIs, and the APIs whose rate limit is used up.
    private var degraded: [DegradedPart] {
        let absent = unreachable.map { DegradedPart(part: "api \($0.api)", reason: $0.reason, since: loadedAt) }
        let noted = board.degraded + absent
        let now = clock.now().milliseconds
        let paused = limiters.pauses().map { api, pause in
            let end = Timestamp(milliseconds: now + Int64(pause.left))
            return DegradedPart(
                part: "api \(api)",
                reason: "the API '\(api)' gets no requests until \(end.rfc3339): its rate limit is used up (rateLimit)",
                since: Timestamp(milliseconds: now - Int64(pause.elapsed)))
        }
        return noted + paused.filter { pause in !noted.contains { $0.part == pause.part } }
    }
}
