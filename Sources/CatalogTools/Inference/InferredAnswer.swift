import HTTP
import JSON

/// An API's answer, with its URL, from which Larder infers a draft.
struct InferredAnswer {
    let url: InferredURL
    let response: HTTPResponse

    init(url: InferredURL, response: HTTPResponse) { (self.url, self.response) = (url, response) }

    /// Creates an answer from a file in which the user has saved the body. The URL is a guess from the name of the
    /// file.
    init(_ saved: ReadDocument) {
        self.init(
            url: InferredURL(answerAt: saved.location), response: HTTPResponse(status: 200, body: saved.bytes))
    }

    /// Returns the body as JSON.
    ///
    /// - Throws: `CatalogDraftError` if the body is not JSON.
    func document() throws(CatalogDraftError) -> JSONDocument {
        do throws(JSONFault) {
            return try response.json()
        } catch {
            throw CatalogDraftError(
                "the answer is not JSON: \(error.description(in: response.body)); try another URL or file")
        }
    }
}
