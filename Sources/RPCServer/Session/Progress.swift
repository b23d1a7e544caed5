import DataSources
import JSON
import Protocol
import System

/// Tells a client how far the work for a request is (LSP, "Work Done Progress"): one `begin`, `report`s with a
/// percentage that only grows, one `end`, all before the reply.
final class Progress: Sendable {
    private enum Phase {
        case reporting(percentage: Int)
        case ended
    }

    private let token: ProgressToken
    private let client: any MessageSink
    private let phase = Lock(Phase.reporting(percentage: 0))

    /// Says that the work begins.
    init(_ token: ProgressToken, title: String, client: any MessageSink) {
        self.token = token
        self.client = client
        send { value in
            value.key("kind")
            value.string("begin")
            value.key("title")
            value.string(title)
            value.key("cancellable")
            value.bool(true)
            value.key("percentage")
            value.integer(0)
        }
    }

    /// Says how far the work is, if that is more than was said before: so a long work is not a flood of messages.
    func report(_ done: Int, of total: Int, _ message: @autoclosure () -> String) {
        let percentage = total > 0 ? Int(max(0, min(100, Double(done) * 100 / Double(total)))) : 100
        phase.withLock { phase in
            guard case .reporting(let last) = phase, percentage > last else { return }
            phase = .reporting(percentage: percentage)
            // Under the lock: nothing may come after the `end`.
            send { value in
                value.key("kind")
                value.string("report")
                value.key("message")
                value.string(message())
                value.key("percentage")
                value.integer(percentage)
            }
        }
    }

    /// Says that there will be no more; what is reported later is dropped.
    func end() {
        phase.withLock { phase in
            guard case .reporting = phase else { return }
            phase = .ended
            send { value in
                value.key("kind")
                value.string("end")
            }
        }
    }

    private func send(_ members: (inout JSONWriter) -> Void) {
        client.send(
            message: Notification.message("$/progress") { params in
                params.beginObject()
                params.key("token")
                params.splice(token.json)
                params.key("value")
                params.beginObject()
                members(&params)
                params.endObject()
                params.endObject()
            })
    }
}
