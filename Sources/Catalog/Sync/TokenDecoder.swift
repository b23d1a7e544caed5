import JSON

/// Decodes the keys of `sync` with the style `token`.
struct TokenDecoder {
    let reader: CatalogReader

    /// Decodes the settings of the style `token`. Reports invalid keys. Returns nil if `next` is missing or invalid.
    ///
    /// - Parameter list: the list as `sync` declares it. Keys that `sync` lacks are taken from `list`.
    func decode(_ object: CatalogObject, _ list: ListDefinition) -> TokenDefinition? {
        let parameter = object.text("param")
        let isURL = object["param"] == nil
        object.required("next")
        guard let next = source("next", in: object, isURL: isURL) else { return nil }
        var token = TokenDefinition(parameter: parameter, next: next)
        token.beginsWithChanges =
            object.value("begin", "\"list\" or \"feed\"") {
                $0.isString("feed") ? true : $0.isString("list") ? false : nil
            } ?? false
        if let view = object["initial"], view["from"] != nil || view["path"] != nil {
            // `OperationsDecoder` decodes the other keys.
            let request = CatalogObject(view: view, what: "'initial' of \(object.what)", reader: reader)
            request.required("from")
            token.initialSelector = request.answerSelector("from")
        } else {
            token.initial = source("initial", in: object, isURL: isURL) ?? next
        }
        if let view = object["initial"], token.beginsWithChanges {
            reader.fault("'initial' has no effect with \"begin\": \"feed\"; remove one of them", at: view)
        }
        let style = type(of: list.pagination.style)
        if isURL, !style.usesURLs || (list.pagination.style as? NextURLPagination)?.takesQuery == true {
            reader.fault(
                "without 'param', the token is a URL, so 'pagination' needs the style \"nextURL\" or \"link\"; add"
                    + " 'param' or change 'pagination'", at: object.view)
        }
        return token
    }

    /// Decodes the place of a token: a selector in the answer, or `{"first": SELECTOR}` or `{"last": SELECTOR}` for an
    /// element of the list.
    private func source(_ key: String, in object: CatalogObject, isURL: Bool) -> ChangeTokenSource? {
        guard let view = object[key] else { return nil }
        for (name, part) in [("first", CatalogPart.firstItem), ("last", .lastItem)] where view[name] != nil {
            let selector = reader.object(view, "'\(key)' of \(object.what)", part)?.selector(name)
            if isURL {
                reader.fault(
                    "'\(name)' needs 'param': a token from an element of the list is not a URL, so requests must send it as"
                        + " a parameter; add 'param'", at: view)
            }
            return selector.map {
                ChangeTokenSource(place: name == "first" ? .firstElement($0) : .lastElement($0), isURL: false)
            }
        }
        if view.kind == .object, view["header"] == nil {
            reader.fault("'\(key)' of \(object.what) must have exactly one of 'header', 'first' and 'last'", at: view)
            return nil
        }
        return object.answerSelector(key).map { ChangeTokenSource(place: .answer($0), isURL: isURL) }
    }
}
