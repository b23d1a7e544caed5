import DataSources
import JSON

/// Makes a page of what the API sent.
public struct PageMapper: Sendable {
    private let itemMapper: ItemMapper
    private let pageInfoMapper = PageInfoMapper()
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
        var ids: [String] = []
        var ends: [Int] = []
        ids.reserveCapacity(dto.items.count)
        ends.reserveCapacity(dto.items.count)
        var writer = itemMapper.writer(isPartial: isPartial)
        for item in dto.items {
            ids.append(try itemMapper.write(item, id: nil, to: &writer))
            ends.append(writer.bytes.count)
        }
        return Page(
            ids: ids, items: JSONTexts(written: writer.bytes, ends: ends), info: pageInfoMapper.map(dto.info))
    }
}

/// Makes JSON of page info: `{"current", "pages", "count", "next", "previous"}`.
public struct PageInfoMapper: Sendable {
    /// The mapper.
    public init() {}

    /// The info as compact JSON.
    public func map(_ info: PageInfoDTO) -> [UInt8] {
        var writer = JSONWriter(capacity: 64)
        writer.value([
            "current": info.current.json,
            "pages": info.pages.map { .integer($0) } ?? .null,
            "count": info.count.map { .integer($0) } ?? .null,
            "next": info.next?.json ?? .null,
            "previous": info.previous?.json ?? .null,
        ])
        return writer.bytes
    }
}
