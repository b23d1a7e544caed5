import JSON
import Model

/// A pagination of any style. This wrapper lets types that contain a pagination conform to `Equatable`.
public struct Pagination: Equatable, Sendable {
    /// The pagination style with its settings.
    public let style: any PaginationContract
    /// The part of a `POST` request that carries the pagination's parameters; nil for the default, which is the body.
    public var place: ListParameter.Place?

    /// Creates a pagination from a style and its settings.
    public init(_ style: any PaginationContract) { self.style = style }

    /// Whether two paginations have the same style and the same settings.
    public static func == (left: Pagination, right: Pagination) -> Bool {
        left.style.isEqual(to: right.style) && left.place == right.place
    }

    /// Returns the parameters that request a page. Each parameter specifies whether the query or the body carries it.
    ///
    /// - Throws: `APIError.invalidRequest` for a token that cannot come from a page of the list.
    func parameters(of page: PageToken) throws(APIError) -> [ListParameter] {
        let parameters = try style.parameters(of: page)
        guard let place else { return parameters }
        return parameters.map { ListParameter($0.name, $0.value, join: $0.join, place: $0.place ?? place) }
    }
}

extension PaginationContract {
    /// Returns a page info that contains only the current page.
    public func emptyPageInfo(on page: PageToken) -> PageInfoDTO { PageInfoDTO(current: page) }

    /// By default, returns nil: pages are requested by parameters, not by URLs.
    public func target(of page: PageToken) throws(APIError) -> String? { nil }
    public static var usesURLs: Bool { false }
    public var lacksEndSignal: Bool { false }
    public func before(_ page: PageToken, firstPageCount length: Int?) -> PageToken? { nil }
    public var endsAtShorterPage: Bool { false }
    public var slices: SlicePagination? { nil }

    fileprivate func isEqual(to other: any PaginationContract) -> Bool { (other as? Self) == self }
}
