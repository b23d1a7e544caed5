/// A page of items as the API sent it.
public struct PageDTO: Equatable, Sendable {
    /// The items in the API's order.
    public let items: [ItemDTO]
    /// Where the page stands in its list.
    public let info: PageInfoDTO

    /// A page.
    public init(items: [ItemDTO], info: PageInfoDTO) {
        self.items = items
        self.info = info
    }
}
