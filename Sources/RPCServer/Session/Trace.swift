import JSON
import Protocol
import Synchronization

/// Tells a client what becomes of each message, if it wants to hear that (LSP, `$/setTrace` and `$/logTrace`).
final class Trace: Sendable {
    private let level = Atomic<Int>(0)

    /// How much the client wants to hear.
    var value: TraceValue {
        get { TraceValue.allCases[level.load(ordering: .relaxed)] }
        set { level.store(TraceValue.allCases.firstIndex(of: newValue) ?? 0, ordering: .relaxed) }
    }

    /// What one message is told of; nil while nothing is to be told, which costs no more than a look.
    @inline(__always)
    func entry(_ envelope: Envelope, client: any MessageSink) -> Entry? {
        level.load(ordering: .relaxed) == 0 ? nil : Entry(envelope, of: self, client: client)
    }

    /// One message, from its arrival to its end. A class, so that there is next to nothing to pass on while there is
    /// none.
    final class Entry: Sendable {
        private let name: String
        private let params: String?
        private let trace: Trace
        private let client: any MessageSink
        private let start = ContinuousClock.now

        fileprivate init(_ envelope: Envelope, of trace: Trace, client: any MessageSink) {
            let id = envelope.id.map { " " + String(decoding: $0.json, as: UTF8.self) } ?? ""
            name = envelope.method + id
            params = trace.value == .verbose ? "params: \(envelope.params.map { JSONValue($0).text } ?? "none")" : nil
            self.trace = trace
            self.client = client
        }

        /// Says that it is done.
        func done() { tell("done") }

        /// Says why it failed.
        func failed(_ error: RPCError) { tell("error \(error.code.rawValue), \(error.message),") }

        private func tell(_ outcome: String) {
            // Who has turned it off meanwhile wants to hear no more.
            guard trace.value != .off else { return }
            let elapsed = ContinuousClock.now - start
            let microseconds =
                elapsed.components.seconds * 1_000_000 + elapsed.components.attoseconds / 1_000_000_000_000
            let message = "\(name): \(outcome) in \(Double(microseconds) / 1000) ms"
            client.send(
                message: Notification.message("$/logTrace") { writer in
                    writer.beginObject()
                    writer.key("message")
                    writer.string(message)
                    if let params {
                        writer.key("verbose")
                        writer.string(params)
                    }
                    writer.endObject()
                })
        }
    }
}
