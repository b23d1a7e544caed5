import DataSources
import JSON
import Protocol
import System

/// Sends the progress of a request to the client. The client receives all progress notifications before the reply.
///
/// In Larder's own protocol, the notifications follow LSP's "Work Done Progress": a `begin`, any number of `report`s
/// and an `end`. The percentage in a `report` never decreases, and is absent if the total is unknown. The Model Context
/// Protocol uses `notifications/progress` with an increasing `progress` value.
final class Progress: Sendable {
    private enum Phase {
        /// The number of finished steps and the percentage in the last notification.
        case reporting(done: Int, percentage: Int)
        case ended
    }

    /// The format of the progress notifications.
    enum Form: Equatable {
        /// The notification `$/progress` of LSP, with a title.
        case workDone(title: String)
        case mcp
    }

    private let token: ProgressToken
    private let form: Form
    private let client: any MessageSink
    private let phase = Lock(Phase.reporting(done: 0, percentage: 0))

    /// Creates the progress reporter of one request. For LSP's format, also sends the `begin` notification.
    init(_ token: ProgressToken, _ form: Form, client: any MessageSink) {
        self.token = token
        self.form = form
        self.client = client
        guard case .workDone(let title) = form else { return }
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

    /// Reports the number of finished steps. In LSP's format, an advance of less than about one percent is not
    /// reported.
    ///
    /// - Parameter total: the number of all steps; nil if the total is unknown.
    func report(_ done: Int, of total: Int?, _ message: @autoclosure () -> String) {
        if form == .mcp { return count(done, of: total, message()) }
        let percentage = total.map { $0 > 0 ? Int(max(0, min(100, Double(done) * 100 / Double($0)))) : 100 }
        phase.withLock { phase in
            guard case .reporting(let last, let reported) = phase else { return }
            guard percentage.map({ $0 > reported }) ?? (done > last + last / 100) else { return }
            phase = .reporting(done: done, percentage: percentage ?? reported)
            // The lock is held during the send, so that no report follows the `end`.
            send { value in
                value.key("kind")
                value.string("report")
                value.key("message")
                value.string(message())
                guard let percentage else { return }
                value.key("percentage")
                value.integer(percentage)
            }
        }
    }

    /// Ends the progress of the request. Later reports have no effect. For LSP's format, sends the `end` notification.
    func end() {
        phase.withLock { phase in
            guard case .reporting = phase else { return }
            phase = .ended
            guard form != .mcp else { return }
            send { value in
                value.key("kind")
                value.string("end")
            }
        }
    }

    private func count(_ done: Int, of total: Int?, _ message: String) {
        phase.withLock { phase in
            guard case .reporting(let last, let reported) = phase, done > last else { return }
            phase = .reporting(done: done, percentage: reported)
            client.send(
                message: Notification.message("notifications/progress") { params in
                    params.beginObject()
                    params.key("progressToken")
                    params.splice(token.json)
                    params.key("progress")
                    params.integer(done)
                    if let total {
                        params.key("total")
                        params.integer(total)
                    }
                    params.key("message")
                    params.string(message)
                    params.endObject()
                })
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
