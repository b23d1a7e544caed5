import JSON

/// Reads the items and the page info of an answer with many items, whatever the transport.
struct ListReader {
    /// Where the answer came from, its secrets replaced.
    let url: String
    /// How many requests were made for the answer.
    let attempts: Int
    /// Before the paths in messages; `data.` for GraphQL.
    var prefix = ""

    /// The items; an absent array is a fault, `null` in it is left out.
    func items(at selector: JSONSelector, in answer: JSONPart) throws(APIError) -> ItemDTOs {
        let path = prefix + selector.path
        return try answer.withView { (view) throws(APIError) in
            if selector.isMultiple { return try picked(by: selector, view, in: answer) }
            guard let found = selector.select(in: view), found.kind == .array else {
                throw APIError(.decodingFailed, "expected an array at '\(path)'", path: path)
            }
            return ItemDTOs(answer.part(found), path: path, url: url, attempts: attempts)
        }
    }

    /// The items that a selector with `*` picks.
    private func picked(by selector: JSONSelector, _ view: JSONView, in answer: JSONPart) throws(APIError) -> ItemDTOs {
        guard let picks = selector.selectAll(in: view) else {
            let path = prefix + selector.container.path
            throw APIError(.decodingFailed, "expected an array or an object at '\(path)'", path: path)
        }
        return ItemDTOs(
            picks.filter { !$0.view.isNull }.map { pick in
                ItemDTO(
                    json: answer.part(pick.view), key: pick.key.map { answer.part($0) }, path: prefix + pick.path,
                    url: url, attempts: attempts)
            })
    }

    /// The page that was asked for.
    func page(
        _ request: PageRequest, of list: ListDefinition, in answer: JSONPart, headers: [HTTPHeader],
        links: ListAnswer.Links? = nil
    ) throws(APIError) -> PageDTO {
        let items = try items(at: list.items, in: answer)
        let info = try list.pagination.style.info(
            of: ListAnswer(
                page: request.page, isFiltered: !request.filters.isEmpty, items: items, body: answer,
                headers: headers, prefix: prefix, links: links))
        return PageDTO(items: items, info: info, url: url, attempts: attempts)
    }

    /// A page without items, of which the API says no more than that nothing is there.
    func nothing(_ request: PageRequest, of list: ListDefinition) -> PageDTO {
        PageDTO(
            items: ItemDTOs([]), info: list.pagination.style.infoOfNothing(on: request.page), url: url,
            attempts: attempts)
    }
}
