import DataSources

/// Makes a page of what the API sent.
public struct PageMapper: MapperContract {
    private let itemMapper: ItemMapper
    private let isPartial: Bool

    /// The mapper of a resource's pages.
    public init(_ resource: ResourceDefinition) {
        itemMapper = ItemMapper(resource)
        isPartial = resource.list?.isComplete == false
    }

    /// The page.
    ///
    /// - Throws: `APIError.decodingFailed` with the path of the value at fault.
    public func map(_ dto: PageDTO) throws(APIError) -> Page {
        var items: [Item] = []
        items.reserveCapacity(dto.items.count)
        for item in dto.items { items.append(try itemMapper.map(item, isPartial: isPartial, id: nil)) }
        let info = dto.info
        return Page(
            items: items,
            info: PageInfo(
                current: info.current, pages: info.pages, count: info.count, next: info.next, previous: info.previous))
    }
}
