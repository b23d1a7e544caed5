/// A page of items as the API sent it.
public struct PageDTO: Equatable, Sendable {
    /// The items in the API's order.
    public let items: ItemDTOs
    /// Where the page stands in its list.
    public let info: PageInfoDTO
    /// Where the answer came from, its secrets replaced; nil where nobody said.
    public let url: String?
    /// How many requests were made for the answer.
    public let attempts: Int

    /// A page; of an answer to one request, where nothing else is said.
    public init(items: ItemDTOs, info: PageInfoDTO, url: String? = nil, attempts: Int = 1) {
        self.items = items
        self.info = info
        self.url = url
        self.attempts = attempts
    }

    /// A page; of an answer to one request, where nothing else is said.
    public init(items: [ItemDTO], info: PageInfoDTO, url: String? = nil, attempts: Int = 1) {
        self.init(items: ItemDTOs(items), info: info, url: url, attempts: attempts)
    }
}
