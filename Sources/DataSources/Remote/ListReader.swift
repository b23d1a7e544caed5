import JSON

/// Reads the items and the page info of a list's answer, whatever the transport.
struct ListReader {
    let list: ListDefinition
    /// Where the answer came from, its secrets replaced.
    let url: String
    /// How many requests were made for the answer.
    let attempts: Int
    /// Before the paths in messages; `data.` for GraphQL.
    var prefix = ""

    /// The items; an absent array is a fault, `null` in it is left out.
    func items(in answer: JSONPart) throws(APIError) -> ItemDTOs {
        try answer.withView { (view) throws(APIError) in
            guard let found = list.items.select(in: view), found.kind == .array else {
                throw APIError(
                    .decodingFailed, "expected an array at '\(prefix)\(list.items.path)'",
                    path: prefix + list.items.path)
            }
            return ItemDTOs(answer.part(found), path: prefix + list.items.path, url: url, attempts: attempts)
        }
    }

    /// The page that was asked for.
    func page(_ request: PageRequest, in answer: JSONPart) throws(APIError) -> PageDTO {
        let items = try items(in: answer)
        let number = try number(of: request)
        guard let pagination = list.pagination else {
            guard number == 1 else { throw Self.pastTheEnd(number) }
            return page(items, PageInfoDTO(current: .number(1), pages: 1, count: items.count))
        }
        let pages = try count(pagination.pages, in: answer)
        let count = try count(pagination.count, in: answer)
        if items.isEmpty {
            // An API that numbers its pages says so when one lies behind the last; one that does not is walked until a
            // page is empty.
            let isPastTheEnd =
                pages.map { number > max(1, $0) } ?? (pagination.pages != nil && request.filters.isEmpty && number > 1)
            if isPastTheEnd { throw Self.pastTheEnd(number) }
            if pages == nil { return empty(request) }
        }
        // Also where nothing says how many pages there are, the number after it is one that can be said.
        let hasNext = number < pages ?? (items.isEmpty ? number : Int.max)
        return page(
            items,
            PageInfoDTO(
                current: .number(number), pages: pages, count: count, next: hasNext ? .number(number + 1) : nil,
                previous: number > 1 ? .number(number - 1) : nil))
    }

    /// A page without items. What the API would say of it, it says: no pages, no items.
    func empty(_ request: PageRequest) -> PageDTO {
        page(
            ItemDTOs([]),
            PageInfoDTO(
                current: request.page, pages: list.pagination?.pages.map { _ in 0 },
                count: list.pagination?.count.map { _ in 0 }))
    }

    private func page(_ items: ItemDTOs, _ info: PageInfoDTO) -> PageDTO {
        PageDTO(items: items, info: info, url: url, attempts: attempts)
    }

    private func number(of request: PageRequest) throws(APIError) -> Int {
        guard case .number(let number) = request.page else {
            throw APIError(.invalidRequest, "this list's pages have numbers")
        }
        return number
    }

    private func count(_ selector: JSONSelector?, in answer: JSONPart) throws(APIError) -> Int? {
        guard let selector else { return nil }
        return try answer.withView { (view) throws(APIError) in
            guard let found = selector.select(in: view), !found.isNull else { return nil }
            guard let count = found.integer, count >= 0 else {
                throw APIError(
                    .decodingFailed, "expected a number at '\(prefix)\(selector.path)'", path: prefix + selector.path)
            }
            return count
        }
    }

    private static func pastTheEnd(_ number: Int) -> APIError {
        APIError(.notFound, "page \(number) lies behind the list's last")
    }
}
