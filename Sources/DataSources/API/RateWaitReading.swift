import Catalog
import HTTP
import JSON
import Model
import System

extension RateWaits.Moment {
    /// Whether it has to look into the body.
    private var readsBody: Bool { if case .told(.body) = self { true } else { false } }

    /// In how many milliseconds the API takes requests again; nil where an answer does not say it. A body that is read
    /// for it is not read again.
    func wait(in response: inout HTTPResponse, now: Timestamp) async -> Int? {
        switch self {
        case .after(let milliseconds): return milliseconds
        case .told(let selector):
            if readsBody, response.document == nil, !response.body.isEmpty {
                let answer = response
                response.document = await LargeBodies.reading(answer.body.count) { try? answer.json() }
            }
            return selector.values(in: response, response.document?.root).lazy
                .compactMap { RateWaits.wait(for: $0, now: now) }.max()
        }
    }
}
