import DataSources
import JSON
import Model
import Protocol
import Repositories
import System

/// `request/explain`: describes how the server would answer another request, without executing that request.
struct ExplainHandler: Handler {
    let others: [String: any Handler]

    var readsCache: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .server, summary: "Explains what a request would do, without doing it.",
            details: "Explains the methods get, list, getMany and sync of a resource.",
            narrowed: ["method": .one(of: known)], result: ExplainResult.schema)
    }

    private var known: [String] { others.filter { $0.value.explain != nil }.keys.sorted() }

    func begin(
        _ params: ExplainParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        guard let explain = others[params.method]?.explain, let question = try question(explain, params.params)
        else {
            let near = Suggestion.nearest(to: params.method, in: known).map { "; did you mean '\($0)'?" } ?? ""
            let names = known.map { "'\($0)'" }.joined(separator: ", ")
            let reason = others[params.method] == nil ? "" : "'\(params.method)' cannot be explained: "
            throw RPCError(.invalidParams, "\(reason)'method' must be one of \(names)\(reason.isEmpty ? near : "")")
        }
        return .work(
            Work {
                ExplainResult(
                    method: params.method, question: question, explanation: await question.ask())
            })
    }

    private func question(_ explain: Explain, _ params: JSONValue?) throws(RPCError) -> ExplainQuestion? {
        guard let params else { return try explain(ParamsReader(nil)) }
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(Array(params.text.utf8))
        } catch {
            throw RPCError(
                .internalError, "cannot parse 'params': \(error.reason); report this as a bug in Larder")
        }
        return try document.withRoot { (root) throws(RPCError) in try explain(ParamsReader(root)) }
    }
}

/// A request to be described by `request/explain`. The closure `ask` returns the description.
package struct ExplainQuestion: Sendable {
    let context: ResourceContext
    let control: CacheControl
    let ask: @Sendable () async -> Explanation
}

/// The result of `request/explain`: the description of how the server would answer a request.
struct ExplainResult: RPCResult {
    let method: String
    let question: ExplainQuestion
    let explanation: Explanation

    private static let kept = JSONSchema.object([
        .required("fetchedAt", .moment), .required("age", .seconds), .required("stale", .boolean),
        .required("expired", .boolean), .required("conditional", .boolean),
    ])
    private static let entry: [JSONSchema.Member] = [
        .required(
            "key",
            .object([.required("resource", .string), .required("fingerprint", .string), .required("entry", .string)])),
        .required(
            "cached",
            .object([
                .required("memory", kept.orNull), .required("persistence", kept.orNull),
                .optional("shared", kept.orNull),
            ])),
    ]

    static let schema = JSONSchema.object([
        .required("method", .string), .required("cachePolicy", .one(of: CachePolicy.allCases.map(\.rawValue))),
        .required("entries", .array(of: .object(entry))), .required("steps", .array(of: .string)),
        .required(
            "requests",
            .array(
                of: .object([
                    .required("method", .string), .required("url", .string), .optional("operation", .object),
                ]))),
        .required("limiter", .object([.required("wait", .seconds)])),
        .optional("error", .component(RPCError.schemaName)),
    ])

    func write(to writer: inout JSONWriter) {
        let object = JSONObject([
            ("method", .string(method)), ("cachePolicy", .string(question.control.policy.rawValue)),
            ("entries", .array(explanation.entries.map { json($0) })),
            ("steps", .array(explanation.steps.map { .string($0) })),
            ("requests", .array(explanation.requests.map { json($0) })),
            ("limiter", ["wait": Self.seconds(explanation.requests.map(\.wait).max() ?? 0)]),
        ])
        writer.beginObject()
        for member in object.members {
            writer.key(text: member.key)
            writer.value(member.value)
        }
        if let refusal = explanation.refusal {
            writer.key("error")
            question.context.errors.remote(refusal).write(to: &writer)
        }
        writer.endObject()
    }

    private func json(_ entry: Explanation.Entry) -> JSONValue {
        let levels: [Source] = [.memory, .persistence] + (entry.levels.contains(.shared) ? [.shared] : [])
        return [
            "key": [
                "resource": .string(question.context.name),
                "fingerprint": .string(question.context.repository.fingerprint), "entry": .string(entry.name),
            ],
            "cached": .object(
                JSONObject(levels.map { ($0.rawValue, entry.kept[$0].map { json($0) } ?? .null) })),
        ]
    }

    private func json(_ kept: Explanation.Kept) -> JSONValue {
        [
            "fetchedAt": .string(kept.fetchedAt.rfc3339), "age": Self.seconds(kept.age),
            "stale": .bool(kept.isFresh != true), "expired": .bool(kept.isFresh == nil),
            "conditional": .bool(kept.hasValidators),
        ]
    }

    private func json(_ request: RemotePreview) -> JSONValue {
        var object = JSONObject([("method", .string(request.method.rawValue)), ("url", .string(request.url))])
        if let operation = request.operation { object["operation"] = operation }
        return .object(object)
    }

    private static func seconds(_ milliseconds: Milliseconds) -> JSONValue {
        .number("\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())")
    }
}
