import JSON
import Model
import System

/// Decodes the key `sync`, which declares how Larder requests only the changes of a list.
struct SyncDecoder {
    private static let standardOverlap = 60_000.0

    let reader: CatalogReader

    /// Decodes `sync`. Returns nil if the style or a required key is missing or invalid.
    ///
    /// - Parameters:
    ///   - list: the list definition with the settings of `sync`. Keys that `sync` lacks are taken from `list`.
    ///   - plain: the list definition with the settings of `list` alone.
    ///   - sharesPages: whether `sync` uses the requests and the selectors of `list` unchanged.
    func decode(
        _ object: CatalogObject, _ list: ListDefinition, plain: ListDefinition, sharesPages: Bool
    ) -> SyncDefinition? {
        guard let style = object.required("style") else { return nil }
        let filters = filters(list.filters.map(\.name), in: object)
        var definition: SyncDefinition.Style?
        switch style.string {
        case "since":
            refuseKeys(of: "token", in: object)
            definition = since(object).map { .since($0) }
        case "token":
            refuseKeys(of: "since", in: object)
            definition = TokenDecoder(reader: reader).decode(object, list).map { .token($0) }
        default: reader.fault("'style' must be \"since\" or \"token\"", at: style)
        }
        let whole = object.value("whole", "a positive duration, such as \"1d\"") {
            Quantity.milliseconds($0).flatMap { $0 > 0 ? $0 : nil }
        }
        var elements = ElementRules()
        (elements.deleted, elements.skipped) = (rule("deleted", in: object), rule("skip", in: object))
        guard let definition else { return nil }
        var (changes, wholeList) = (list, ListDefinition?.none)
        let parameter: String?
        var standardWholeAge = SyncDefinition.standardWholeAge
        var isShared = sharesPages
        switch definition {
        case .since(let since):
            parameter = since.parameter
            refuseIDs(list, in: object)
        case .token(let token):
            parameter = token.parameter
            (changes.isOfIDs, changes.token) = (false, token.next)
            (elements.item, elements.id, elements.areIDs) = (
                object.selector("item"), object.selector("id"), list.isOfIDs
            )
            // An API that reports deletions refuses a token that is too old.
            if elements.reportsDeletions { standardWholeAge = .max }
            isShared = !token.beginsWithChanges
            if isShared {
                wholeList = plain
                wholeList?.token = token.initial
            }
        }
        if let parameter {
            let isFeed = if case .token = definition { true } else { false }
            checkParameter(parameter, list, besides: filters, of: object, isFeed: isFeed)
            changes.filters.append(FilterDefinition(name: SyncDefinition.filter, parameter: parameter))
        }
        return SyncDefinition(
            list: changes, wholeList: wholeList, style: definition, elements: elements,
            maxWholeAge: whole ?? standardWholeAge, filters: filters, sharesPages: isShared,
            declaration: JSONValue(object.view).text)
    }

    /// Reports an error for each key that belongs only to the given `sync` style. Called if the catalog declares the
    /// other style.
    private func refuseKeys(of style: String, in object: CatalogObject) {
        for key in CatalogPart.syncKeys(ofStyle: style) {
            guard let view = object.view[key] else { continue }
            reader.fault("'\(key)' is allowed only with the style \"\(style)\"; remove '\(key)'", at: view)
        }
    }

    /// Reports an error if the list contains ids instead of items, because ids alone do not show what has changed.
    private func refuseIDs(_ list: ListDefinition, in object: CatalogObject) {
        guard list.isOfIDs else { return }
        reader.fault(
            "'sync' needs a list of items, because ids alone do not show what has changed; remove \"of\": \"ids\""
                + " or 'sync'", at: object["of"] ?? object.view)
    }

    private func since(_ object: CatalogObject) -> SinceDefinition? {
        object.required("from")
        let parameter = object.requiredText("param")
        guard let parameter, let from = object.selector("from") else { return nil }
        var since = SinceDefinition(parameter: parameter, from: from)
        let unit = object.value("unit", "\"s\" or \"ms\"") { $0.string.flatMap { DateText.Unit(rawValue: $0) } }
        let kind = object.value("type", "\"date\", \"integer\" or \"number\"") { view -> SinceDefinition.Kind? in
            view.isString("date")
                ? .date(unit) : view.isString("integer") ? .integer : view.isString("number") ? .number : nil
        }
        since.kind = kind ?? .date(unit)
        if case .date = since.kind {
            let overlap = object.value("overlap", "a duration, such as \"1m\"") { Quantity.milliseconds($0) }
            since.overlap = overlap.map { Double($0) } ?? Self.standardOverlap
        } else {
            since.overlap =
                object.value("overlap", "a number from 0") { view in
                    view.double.flatMap { (0...1e15).contains($0) ? $0 : nil }
                } ?? 0
            if let view = object["unit"] {
                reader.fault("'unit' is allowed only for the type \"date\"; remove 'unit' or change the type", at: view)
            }
        }
        since.isAscending = object.flag("ascending") ?? false
        return since
    }

    /// Reports an error if the pagination or a filter already uses the request parameter of `sync`. Checks only filters
    /// that requests for changes can contain: those in `names`, required filters, and filters with a default value.
    ///
    /// - Parameters:
    ///   - parameter: the request parameter of `sync`.
    ///   - names: the names of the filters that the key `filters` of `sync` lists.
    ///   - isFeed: whether the value of the request parameter is a token.
    private func checkParameter(
        _ parameter: String, _ list: ListDefinition, besides names: [String], of object: CatalogObject, isFeed: Bool
    ) {
        guard let view = object["param"] else { return }
        let conflict = list.filters.first {
            $0.parameter == parameter && (names.contains($0.name) || $0.isRequired || $0.standard != nil)
        }
        if let filter = conflict {
            reader.fault(
                "the parameter '\(parameter)' is already used by the filter '\(filter.name)'; remove the filter",
                at: view)
        }
        // The request for the first page may lack a parameter that later requests have. In a feed, the cursor of a
        // later page may replace the token.
        let pages: [PageToken] = isFeed ? [list.firstPage] : [list.firstPage, .number(2), .opaque("next")]
        let paging = pages.flatMap { (try? list.pagination.parameters(of: $0)) ?? [] }
        if paging.contains(where: { $0.name == parameter }) {
            reader.fault(
                "the parameter '\(parameter)' is already used by 'pagination'; choose another parameter", at: view)
        }
    }

    private func rule(_ key: String, in object: CatalogObject) -> ElementRule? {
        guard let view = object[key], let rule = reader.object(view, "'\(key)' of \(object.what)", .elementRule) else {
            return nil
        }
        rule.required("when")
        let values = rule.conditionValues()
        return rule.selector("when").map { ElementRule(when: $0, values: values) }
    }

    private func filters(_ known: [String], in object: CatalogObject) -> [String] {
        guard let view = object["filters"] else { return [] }
        guard view.kind == .array else {
            reader.fault(
                "'filters' of \(object.what) must be an array of filter names; use names of the list's 'filters'",
                at: view)
            return []
        }
        return view.elements.compactMap { element in
            if let name = element.string, known.contains(name) { return name }
            let nearest = element.string.flatMap { Spelling.nearest(to: $0, in: known) }
            let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? "; use names of the list's 'filters'"
            reader.fault("'\(element.string ?? "")' is not a filter of the list\(hint)", at: element)
            return nil
        }
    }
}

extension PaginationContract {
    /// Whether items may move to an earlier page while Larder reads the list. False if each page starts at a cursor, or
    /// if one response contains the whole list. True for page numbers and offsets. Also true if a response contains the
    /// URL of the next page, because this URL may contain a page number.
    public var mayShift: Bool {
        !(self is CursorPagination || self is RelayPagination || self is SlicePagination || self is SinglePage)
    }
}
