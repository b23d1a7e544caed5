import Catalog
import HTTP
import JSON
import Model
import System

extension RetryTimes.Moment {
    /// Whether the answer states the time of the next allowed request in its body instead of a header field.
    private var readsBody: Bool { if case .told(.body) = self { true } else { false } }

    /// Returns the time until the API accepts requests again, in milliseconds; nil if the answer does not state it. If
    /// the time is in the body, also stores the parsed body in the answer.
    func wait(in response: inout HTTPResponse, now: Timestamp) async -> Milliseconds? {
        switch self {
        case .after(let milliseconds): return milliseconds
        case .told(let selector):
            if readsBody, response.document == nil, !response.body.isEmpty {
                let answer = response
                response.document = await LargeBodies.reading(answer.body.count) { try? answer.json() }
            }
            return selector.values(in: response, response.document?.root).lazy
                .compactMap { RetryTimes.wait(for: $0, now: now) }.max()
        }
    }
}
