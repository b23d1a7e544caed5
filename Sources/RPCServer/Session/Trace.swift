import JSON
import Protocol
import Synchronization

/// Reports the outcome of each message to a client that has enabled tracing (`$/setTrace` and `$/logTrace` of LSP).
final class Trace: Sendable {
    private let level = Atomic<Int>(0)

    /// The level of detail that the client chose with `initialize` or `$/setTrace`.
    var value: TraceValue {
        get { TraceValue.allCases[level.load(ordering: .relaxed)] }
        set { level.store(TraceValue.allCases.firstIndex(of: newValue) ?? 0, ordering: .relaxed) }
    }

    /// Returns the trace of one message; nil if tracing is off.
    @inline(__always)
    func entry(_ envelope: Envelope, client: any MessageSink) -> Entry? {
        level.load(ordering: .relaxed) == 0 ? nil : Entry(envelope, of: self, client: client)
    }

    /// The trace of one message, from its arrival to its outcome.
    ///
    /// A class rather than a struct, because an optional class reference costs almost nothing while tracing is off.
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

        /// Reports that the server has handled the message.
        func done() { report("done") }

        /// Reports that the server has answered the message with an error.
        func failed(_ error: RPCError) { report("error \(error.code.rawValue), \(error.message),") }

        private func report(_ outcome: String) {
            // The client may have turned tracing off since the message arrived.
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
