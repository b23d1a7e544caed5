import Catalog
import DataSources
import JSON
import Model
import System

/// Converts a page from the API's format to the format that Larder stores and returns.
public struct PageMapper: MapperContract {
    private let itemMapper: ItemMapper
    private let pageInfoMapper = PageInfoMapper()
    private let isPartial: Bool
    private let isOfIDs: Bool
    let skipsMismatches: Bool
    let redact: @Sendable (String) -> String
    /// The optional fields with a selector of their own, which `unfound` checks. Empty for a list of partial items,
    /// because such items may lack fields.
    private let placed: [FieldDefinition]

    /// Creates the mapper for pages of a resource's list.
    ///
    /// - Parameter redact: replaces secrets in the messages about skipped items. The cache stores these messages with
    ///   the page.
    public init(_ resource: ResourceDefinition, redact: @escaping @Sendable (String) -> String = { $0 }) {
        self.redact = redact
        itemMapper = ItemMapper(resource, from: .list)
        isPartial = resource.list?.isComplete == false
        isOfIDs = resource.list?.isOfIDs == true
        skipsMismatches = resource.skipsMismatches
        placed = isPartial ? [] : (resource.fields ?? []).filter { $0.hasOwnSelector && $0.type.isOptional }
    }

    /// Returns the selectors of optional fields that match no value in any item of the page. Such a selector may be
    /// misspelt. The result is empty for a page without items.
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

    /// Returns the id of an item in the list; nil if the item has no id.
    func id(of item: ItemDTO) -> String? { itemMapper.id(of: item) }

    /// Checks the items of a page and converts them to the JSON that Larder stores, in the page's order.
    ///
    /// - Throws: `APIError.decodingFailed` with the path of the invalid value.
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
                writer.truncate(to: end)
                skipped.append(
                    SkippedItem(
                        index: item.index ?? index, path: redact(error.path ?? ""), message: redact(error.message)))
                continue
            }
            ids.append(id)
            ends.append(writer.bytes.count)
        }
        if let place = Self.firstRepeatedIndex(ids) {
            let left = Set(skipped.map(\.index))
            let items = dto.items.enumerated().lazy.filter { !left.contains($1.index ?? $0) }.map(\.element)
            let path = items.dropFirst(place).first { _ in true }?.path ?? ""
            // A long id is omitted completely, because the redactor recognizes only whole secrets.
            let id = ids[place].utf8.count > 100 ? "" : " '\(ids[place])'"
            throw APIError(
                .decodingFailed,
                "the item at '\(path)' has the same id\(id) as another item on the page; declare an \"id\" that is"
                    + " unique",
                path: path)
        }
        return Page(
            ids: ids, items: JSONTexts(written: writer.bytes, ends: ends),
            info: pageInfoMapper.map(PagePosition(dto.info, skipped: skipped)))
    }

    /// Returns the index of the first repeated id; nil if all ids are unique.
    // A page may have a million ids, and hashes need less memory than a set of ids.
    private static func firstRepeatedIndex(_ ids: [String]) -> Int? {
        var hashes = ids.map { id in id.withBytes { XXHash64.hash($0, seed: 0) } }
        hashes.sort()
        guard zip(hashes, hashes.dropFirst()).contains(where: { $0 == $1 }) else { return nil }
        var seen: Set<IDBytes> = []
        return ids.indices.first { !seen.insert(IDBytes(ids[$0])).inserted }
    }

    /// An id that is compared byte by byte. `String` also treats different bytes as equal if they mean the same
    /// characters.
    private struct IDBytes: Hashable {
        private let id: String

        init(_ id: String) { self.id = id }

        static func == (left: IDBytes, right: IDBytes) -> Bool { left.id.isIdentical(to: right.id) }

        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }
}

/// An item that a page omits because the item does not match the catalog.
public struct SkippedItem: Equatable, Sendable {
    /// The item's index in the API's page, from 0.
    public let index: Int
    /// The path of the invalid value in the API's answer.
    public let path: String
    /// The reason why the item does not match the catalog.
    public let message: String
}

/// The position of a page in its list, and the items that the page omits.
public struct PagePosition: Equatable, Sendable {
    public let info: PageInfoDTO
    public let skipped: [SkippedItem]

    public init(_ info: PageInfoDTO, skipped: [SkippedItem] = []) {
        self.info = info
        self.skipped = skipped
    }
}

/// Converts a page's position to compact JSON: `{"current", "pages", "count", "next", "previous"}`.
///
/// If the page omits items, a second line lists them: `[{"index", "path", "message"}]`.
// The cache stores the two lines as one value, which a reader can split without parsing the JSON.
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
