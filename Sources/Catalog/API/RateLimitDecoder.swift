import JSON
import Model

/// Decodes the key `rateLimit` of an API.
struct RateLimitDecoder {
    let reader: CatalogReader

    /// Decodes the limit (`requests` and `per`) and the wait times (`reset` and `pause`). Returns nil for each value
    /// that is not declared.
    func decode(_ api: CatalogObject) -> (limit: RateLimit?, waits: RetryTimes?) {
        guard let view = api["rateLimit"],
            let object = reader.object(view, "'rateLimit' of \(api.what)", .rateLimit)
        else { return (nil, nil) }
        var waits = RetryTimes()
        waits.reset = moment("reset", in: object)
        waits.pause = moment("pause", in: object)
        let readsAnswers = object["reset"] != nil || object["pause"] != nil
        // `requests` and `per` are optional if responses report the limit.
        if !readsAnswers || object["requests"] != nil || object["per"] != nil {
            object.required("requests")
            object.required("per")
        }
        let requests = object.value("requests", "a number over 0") { ClosedRange.positive.containing($0.integer) }
        let per = object.value("per", "a duration over 0, such as \"1m\"") {
            ClosedRange.positive.containing(Quantity.milliseconds($0))
        }
        let limit = requests.flatMap { requests in
            per.map { RateLimit(requests: requests, per: $0) }
        }
        return (limit, waits == RetryTimes() ? nil : waits)
    }

    /// Returns a wait time from the catalog: a fixed duration, or the selector of a time in the response.
    private func moment(_ key: String, in object: CatalogObject) -> RetryTimes.Moment? {
        guard let view = object[key] else { return nil }
        if let milliseconds = Quantity.milliseconds(view) { return .after(milliseconds) }
        guard view.kind == .string || view.kind == .array || view.kind == .object else {
            reader.fault(
                "'\(key)' must be a selector such as \"backoff\", {\"header\": \"X-RateLimit-Reset\"}, or a duration such"
                    + " as \"30s\"", at: view)
            return nil
        }
        return object.answerSelector(key).map { .told($0) }
    }
}
