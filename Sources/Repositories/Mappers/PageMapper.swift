import Catalog
import DataSources
import JSON
import Model
import System

/// Maps an API's page to the page that is stored and served.
public struct PageMapper: MapperContract {
    private let itemMapper: ItemMapper
    private let pageInfoMapper = PageInfoMapper()
    private let isPartial: Bool
    private let isOfIDs: Bool
    private let skipsMismatches: Bool
    private let redact: @Sendable (String) -> String
    /// The fields that may be absent, and of which the catalog says where they stand; none where items lack some.
    private let placed: [FieldDefinition]

    /// The mapper of a resource's pages.
    ///
    /// - Parameter redact: takes secrets out of what is told of items that are left out: it is kept with the page.
    public init(_ resource: ResourceDefinition, redact: @escaping @Sendable (String) -> String = { $0 }) {
        self.redact = redact
        itemMapper = ItemMapper(resource, from: .list)
        isPartial = resource.list?.isComplete == false
        isOfIDs = resource.list?.isOfIDs == true
        skipsMismatches = resource.skipsMismatches
        placed = isPartial ? [] : (resource.fields ?? []).filter { $0.hasOwnSelector && $0.type.isOptional }
    }

    /// The selectors of fields that find nothing in any of the items that came. A page without items says nothing of
    /// them.
    func unfound(in dto: PageDTO) -> [String] {
        var left = placed
        var isEmpty = true
        for item in dto.items {
            if left.isEmpty { return [] }
            isEmpty = false
            let key = item.key
            item.json.withView { view in
                left.removeAll { field in
                    let from = field.from[.list]
                    if let key { return key.withView { from.select(in: view, key: $0) } != nil }
                    return from.select(in: view) != nil
                }
            }
        }
        return isEmpty ? [] : left.map { "'\($0.from[.list].path)' of the field '\($0.name)'" }
    }

    /// Checks the items that came, and writes them as they are kept, in the page's order.
    ///
    /// - Throws: `APIError.decodingFailed` with the path of the value at fault.
    public func map(_ dto: PageDTO) throws(APIError) -> Page {
        var ids: [String] = []
        var ends: [Int] = []
        var skipped: [SkippedItem] = []
        ids.reserveCapacity(dto.items.count)
        ends.reserveCapacity(dto.items.count)
        var writer = itemMapper.writer(isPartial: isPartial)
        for (index, item) in dto.items.enumerated() {
            let end = writer.bytes.count
            let id: String
            do throws(APIError) {
                id =
                    isOfIDs
                    ? try itemMapper.write(id: item, to: &writer)
                    : try itemMapper.write(item, to: &writer)
            } catch {
                guard skipsMismatches else { throw error }
                writer.takeBack(to: end)
                skipped.append(
                    SkippedItem(
                        index: item.index ?? index, path: redact(error.path ?? ""), message: redact(error.message)))
                continue
            }
            ids.append(id)
            ends.append(writer.bytes.count)
        }
        if let place = Self.repeated(ids) {
            let left = Set(skipped.map(\.index))
            let items = dto.items.enumerated().lazy.filter { !left.contains($1.index ?? $0) }.map(\.element)
            let path = items.dropFirst(place).first { _ in true }?.path ?? ""
            // Never a piece of it: a secret is known by its whole only.
            let id = ids[place].utf8.count > 100 ? "an id" : "the id '\(ids[place])'"
            throw APIError(
                .decodingFailed,
                "'\(path)' has \(id), as another item of the page has; declare an 'id' that tells them apart",
                path: path)
        }
        return Page(
            ids: ids, items: JSONTexts(written: writer.bytes, ends: ends),
            info: pageInfoMapper.map(PagePosition(dto.info, skipped: skipped)))
    }

    /// The first that stands there already; nil where none does. A page may have a million ids: the hashes of all take
    /// less than a set of them.
    private static func repeated(_ ids: [String]) -> Int? {
        var hashes = ids.map { id in id.withBytes { XXHash64.hash($0, seed: 0) } }
        hashes.sort()
        guard zip(hashes, hashes.dropFirst()).contains(where: { $0 == $1 }) else { return nil }
        var seen: Set<IDBytes> = []
        return ids.indices.first { !seen.insert(IDBytes(ids[$0])).inserted }
    }

    /// An id byte by byte: an API may tell ids apart that `String` takes for the same.
    private struct IDBytes: Hashable {
        private let id: String

        init(_ id: String) { self.id = id }

        static func == (left: IDBytes, right: IDBytes) -> Bool { left.id.isIdentical(to: right.id) }

        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }
}

/// An item that a page leaves out, since it is not of the declared shape.
public struct SkippedItem: Equatable, Sendable {
    /// Its place among the items that came, from 0.
    public let index: Int
    /// Where in the answer it is wrong.
    public let path: String
    /// How.
    public let message: String
}

/// The position of a page in its list, and the items that the page leaves out.
public struct PagePosition: Equatable, Sendable {
    public let info: PageInfoDTO
    public let skipped: [SkippedItem]

    public init(_ info: PageInfoDTO, skipped: [SkippedItem] = []) {
        self.info = info
        self.skipped = skipped
    }
}

/// Maps a page's position to compact JSON: `{"current", "pages", "count", "next", "previous"}`.
///
/// If the page leaves items out, a second line lists them: `[{"index", "path", "message"}]`. Both lines are stored as
/// one value, and a reader tells them apart without parsing.
public struct PageInfoMapper: MapperContract {
    public init() {}

    public func map(_ position: PagePosition) -> [UInt8] {
        let (info, skipped) = (position.info, position.skipped)
        var writer = JSONWriter(capacity: 64)
        writer.value([
            "current": info.current.json,
            "pages": info.pages.map { .integer($0) } ?? .null,
            "count": info.count.map { .integer($0) } ?? .null,
            "next": info.next?.json ?? .null,
            "previous": info.previous?.json ?? .null,
        ])
        guard !skipped.isEmpty else { return writer.bytes }
        writer.append("\n")
        writer.beginText()
        writer.value(
            .array(
                skipped.map {
                    ["index": .integer($0.index), "path": .string($0.path), "message": .string($0.message)]
                }))
        return writer.bytes
    }
}
