import JSON
import Model

/// A pagination of any style, with an equality operator so that types which contain it can be compared.
public struct Pagination: Equatable, Sendable {
    /// The pagination style with its settings.
    public let style: any PaginationContract
    /// The part of a `POST` that carries the pagination's parameters; nil for the body.
    public var place: ListParameter.Place?

    /// Creates a pagination of a style.
    public init(_ style: any PaginationContract) { self.style = style }

    /// Whether style and settings are equal.
    public static func == (left: Pagination, right: Pagination) -> Bool {
        left.style.isEqual(to: right.style) && left.place == right.place
    }

    /// Returns the parameters that request a page, each with its part of the request.
    ///
    /// - Throws: `APIError.invalidRequest` for a token that cannot come from a page of the list.
    func parameters(of page: PageToken) throws(APIError) -> [ListParameter] {
        let parameters = try style.parameters(of: page)
        guard let place else { return parameters }
        return parameters.map { ListParameter($0.name, $0.value, join: $0.join, place: $0.place ?? place) }
    }
}

extension PaginationContract {
    /// Returns a page info without neighbouring pages and counts.
    public func emptyPageInfo(on page: PageToken) -> PageInfoDTO { PageInfoDTO(current: page) }

    /// Returns nil: by default, parameters request a page.
    public func target(of page: PageToken) throws(APIError) -> String? { nil }
    public static var usesURLs: Bool { false }
    public var lacksEndSignal: Bool { false }
    public func before(_ page: PageToken, firstPageCount length: Int?) -> PageToken? { nil }
    public var endsAtShorterPage: Bool { false }
    public var slices: SlicePagination? { nil }

    fileprivate func isEqual(to other: any PaginationContract) -> Bool { (other as? Self) == self }
}
