import JSON

@testable import Catalog
@testable import DataSources
@testable import Model

extension PaginationContract {
    /// Returns the page info for an answer with the given body, whose items are at `items`.
    func info(
        _ page: PageToken, _ body: String, _ headers: [String: String] = [:], isFiltered: Bool = false
    ) throws -> PageInfoDTO {
        let body = try JSONDocument(Array(body.utf8)).root
        let items = try ListReader(url: "", attempts: 1, redactor: Redactor(secrets: []))
            .items(at: JSONSelector(field: "items"), in: body)
        return try info(
            of: ListAnswer(
                page: page, isFiltered: isFiltered, items: items, body: body,
                headers: headers.map { HTTPHeader($0.key, $0.value) }, prefix: ""))
    }
}
