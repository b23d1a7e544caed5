import JSON
import Model

/// The answer to a REST request: the body and header fields, the requested URL and the number of attempts.
struct RESTAnswer {
    let json: JSONPart
    let headers: [HTTPHeader]
    /// The requested URL, with secrets redacted.
    let url: String
    /// The requested URL as it was sent, including secrets.
    let asked: String
    /// The number of HTTP requests that were made for the answer. Retries are counted.
    let attempts: Int
    let redactor: Redactor

    var reader: ListReader { ListReader(url: url, attempts: attempts, redactor: redactor) }
}
