import DataSources
import JSON
import Model
import Protocol
import System

/// `server/status`: what runs, since when, and what is not as it should be.
struct StatusHandler: Handler {
    let catalog: String
    let loadedAt: Timestamp
    let resources: [String]
    /// The names of the APIs that cannot be asked until the catalog is loaded again, each with the reason.
    let unreachable: [(api: String, reason: String)]
    let board: StatusBoard
    let limiters: RequestLimiters
    let redactor: Redactor
    let clock: any ClockContract
    let startedAt: Timestamp

    var description: MethodDescription {
        let part = JSONSchema.object([
            .required("part", .string), .required("reason", .string), .required("since", .moment),
        ])
        return MethodDescription(
            tag: .server, summary: "What runs, and what is not as it should be.",
            result: .object([
                .required("version", .string), .required("pid", .count), .required("uptime", .seconds),
                .required("catalog", .string.described("The file, or \"built-in\".")),
                .required("loadedAt", .moment.described("When the catalog was loaded.")),
                .required("resources", .array(of: .string)), .required("inFlight", .count),
                .required("degraded", .array(of: part)),
            ]))
    }

    func begin(
        _ params: NoParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let uptime = max(0, clock.now().milliseconds - startedAt.milliseconds)
        result.value([
            "version": .string(Version.current),
            "pid": .integer(Int(getpid())),
            "uptime": .number("\(uptime / 1000).\(String(uptime % 1000 + 1000).dropFirst())"),
            "catalog": .string(redactor.redact(catalog)),
            "loadedAt": .string(loadedAt.rfc3339),
            "resources": .array(resources.map { .string($0) }),
            "inFlight": .integer(session.pending.unanswered),
            "degraded": .array(
                degraded.map {
                    [
                        "part": .string($0.part), "reason": .string(redactor.redact($0.reason)),
                        "since": .string($0.since.rfc3339),
                    ]
                }),
        ])
        return .answered
    }

    /// The parts on the board, the unreachable APIs and those that pause now. A pause ends without an event, so the
    /// limiters are asked.
    private var degraded: [DegradedPart] {
        let absent = unreachable.map { DegradedPart(part: "api \($0.api)", reason: $0.reason, since: loadedAt) }
        let noted = board.degraded + absent
        let now = clock.now().milliseconds
        let paused = limiters.pauses().map { api, pause in
            let end = Timestamp(milliseconds: now + Int64(pause.left))
            return DegradedPart(
                part: "api \(api)",
                reason: "the API '\(api)' is not asked until \(end.rfc3339), as it has said itself (rateLimit)",
                since: Timestamp(milliseconds: now - Int64(pause.elapsed)))
        }
        return noted + paused.filter { pause in !noted.contains { $0.part == pause.part } }
    }
}
