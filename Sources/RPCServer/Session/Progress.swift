import DataSources
import JSON
import Protocol
import System

/// Tells a client how far the work for a request is, all before the reply. In the native dialect as in LSP ("Work Done
/// Progress"): one `begin`, `report`s with a percentage that only grows, or without one where nobody knows how much
/// there is, one `end`. In the Model Context Protocol as `notifications/progress`, which grows with each.
final class Progress: Sendable {
    private enum Phase {
        /// How much was told last, in steps, and in percent where the whole was known.
        case reporting(done: Int, percentage: Int)
        case ended
    }

    /// How it is told.
    enum Form: Equatable {
        /// As LSP does it, under a title.
        case workDone(title: String)
        case mcp
    }

    private let token: ProgressToken
    private let form: Form
    private let client: any MessageSink
    private let phase = Lock(Phase.reporting(done: 0, percentage: 0))

    /// Says that the work begins.
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

    /// Says how far the work is, if that is more than was said before: so a long work is not a flood of messages.
    ///
    /// - Parameter total: nil where nobody knows it. LSP's form then tells of each of the first steps, then of those
    ///   that make a hundredth more.
    func report(_ done: Int, of total: Int?, _ message: @autoclosure () -> String) {
        if form == .mcp { return count(done, of: total, message()) }
        let percentage = total.map { $0 > 0 ? Int(max(0, min(100, Double(done) * 100 / Double($0)))) : 100 }
        phase.withLock { phase in
            guard case .reporting(let last, let told) = phase else { return }
            guard percentage.map({ $0 > told }) ?? (done > last + last / 100) else { return }
            phase = .reporting(done: done, percentage: percentage ?? told)
            // Under the lock: nothing may come after the `end`.
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

    /// Says that there will be no more; what is reported later is dropped.
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
            guard case .reporting(let last, let told) = phase, done > last else { return }
            phase = .reporting(done: done, percentage: told)
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
