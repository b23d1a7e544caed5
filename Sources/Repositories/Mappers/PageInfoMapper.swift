import DataSources
import JSON

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
