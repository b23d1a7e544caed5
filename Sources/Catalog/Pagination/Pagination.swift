import JSON
import Model

/// A pagination of any style. It can be compared, as what holds it can be.
public struct Pagination: Equatable, Sendable {
    /// What it does.
    public let style: any PaginationContract
    /// Where a `POST` has its parameters; nil is its body.
    public var place: ListParameter.Place?

    /// A pagination of that style.
    public init(_ style: any PaginationContract) { self.style = style }

    /// Whether style and settings are equal.
    public static func == (left: Pagination, right: Pagination) -> Bool {
        left.style.isEqual(to: right.style) && left.place == right.place
    }

    /// The parameters that ask for a page, each with its place.
    ///
    /// - Throws: `APIError.invalidRequest` for a page that the list cannot have given.
    func parameters(of page: PageToken) throws(APIError) -> [ListParameter] {
        let parameters = try style.parameters(of: page)
        guard let place else { return parameters }
        return parameters.map { ListParameter($0.name, $0.value, join: $0.join, place: $0.place ?? place) }
    }
}

extension PaginationContract {
    /// It is the page, and no other is known.
    public func infoOfNothing(on page: PageToken) -> PageInfoDTO { PageInfoDTO(current: page) }

    /// It is parameters that ask for it.
    public func target(of page: PageToken) throws(APIError) -> String? { nil }
    public static var usesURLs: Bool { false }
    public var endsSilently: Bool { false }
    public func before(_ page: PageToken, firstHas length: Int?) -> PageToken? { nil }
    public var endsWithFewerItems: Bool { false }
    public var slices: SlicePagination? { nil }

    fileprivate func isEqual(to other: any PaginationContract) -> Bool { (other as? Self) == self }
}
