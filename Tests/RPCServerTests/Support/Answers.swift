import DataSources
import JSON
import Model
import Repositories
import System

/// Answers in the form that a repository returns.
enum Answers {
    static let moment = Timestamp(milliseconds: 1_769_850_300_250)
    /// The time in every answer, as JSON.
    static let fetchedAt = #""fetchedAt":"2026-01-31T09:05:00.250Z""#

    static func item(
        _ json: String, from source: Source = .memory, isStale: Bool = false, fallback: APIError? = nil
    ) -> Answer<[UInt8]> {
        Answer(value: Array(json.utf8), source: source, fetchedAt: moment, isStale: isStale, fallback: fallback)
    }

    static func page(
        _ items: [String], _ info: String, from source: Source = .memory, isStale: Bool = false,
        fallback: APIError? = nil
    ) -> Answer<Page> {
        Answer(
            value: Page(ids: [], items: JSONTexts(items.map { Array($0.utf8) }), info: Array(info.utf8)),
            source: source,
            fetchedAt: moment, isStale: isStale, fallback: fallback)
    }

    /// An API error with all details; all of its strings contain `secret`.
    static func error(_ kind: APIError.Kind, secret: String = "") -> APIError {
        var error = APIError(kind, "it failed\(secret)", status: 503, path: "results[3]\(secret)", retryAfter: 7)
        error.api = "rickandmorty"
        error.resource = "character"
        error.url = "http://127.0.0.1/x?key=\(secret)"
        error.attempts = 3
        return error
    }
}
