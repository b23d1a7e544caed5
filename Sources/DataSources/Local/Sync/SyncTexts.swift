import Catalog
import JSON
import Model
import System

extension SyncPosition {
    /// Returns the text of a `SyncPosition` for the cache file: JSON, or an empty string for nil.
    @_optimize(size)
    static func text(of position: SyncPosition?) -> String {
        guard let position else { return "" }
        let totals = position.totals
        var members = JSONObject([])
        members["page"] = position.page.json
        members["start"] = .integer(Int(position.start.milliseconds))
        members["limit"] = position.limit.map { .integer(Int($0.milliseconds)) }
        members["count"] = totals.count.map { .integer($0) }
        if totals.lacksItems { members["lacksItems"] = true }
        if totals.hasRepeated { members["hasRepeated"] = true }
        if totals.hasChanged { members["hasChanged"] = true }
        if totals.omitsElements { members["omitsElements"] = true }
        members["mark"] = position.mark.map { .string($0) }
        members["declaration"] = position.declaration.map { .string($0) }
        return JSONValue.object(members).text
    }

    @_optimize(size)
    init?(text: String) {
        guard let value = try? JSONValue(parsing: text),
            case .number(let digits)? = value["start"], let start = Int64(digits)
        else { return nil }
        guard let page = PageToken(value["page"]) else { return nil }
        var totals = ListTotals()
        if case .number(let digits)? = value["count"] { totals.count = Int(digits) }
        totals.lacksItems = value["lacksItems"] == true
        totals.hasRepeated = value["hasRepeated"] == true
        totals.hasChanged = value["hasChanged"] == true
        totals.omitsElements = value["omitsElements"] == true
        self.init(page: page, start: Timestamp(milliseconds: start), totals: totals)
        if case .number(let digits)? = value["limit"] { limit = Int64(digits).map { Timestamp(milliseconds: $0) } }
        mark = value["mark"]?.plainText
        declaration = value["declaration"]?.plainText
    }
}

extension SyncState {
    /// The text of the database column `mark`: the `SyncMark` as JSON. Without a mark, the text is `held` if `isHeld`
    /// is true; otherwise it is empty.
    var markText: String {
        guard let mark else { return isHeld ? "held" : "" }
        var members = JSONObject([
            ("value", .string(mark.value)), ("declaration", .string(mark.declaration)),
            ("wholeAt", .integer(Int(mark.wholeAt.milliseconds))), ("isComplete", .bool(mark.isComplete)),
        ])
        if mark.hasAllItems { members["hasAllItems"] = true }
        if isHeld { members["held"] = true }
        return JSONValue.object(members).text
    }

    /// Sets `mark` and `isHeld` from the text of the database column `mark`.
    @_optimize(size)
    mutating func read(mark text: String) {
        isHeld = text == "held"
        guard let value = try? JSONValue(parsing: text) else { return }
        isHeld = value["held"] == true
        guard case .string(let place)? = value["value"], case .string(let declaration)? = value["declaration"],
            case .number(let digits)? = value["wholeAt"], let wholeAt = Int64(digits)
        else { return }
        mark = SyncMark(
            value: place, declaration: declaration, wholeAt: Timestamp(milliseconds: wholeAt),
            isComplete: value["isComplete"] == true, hasAllItems: value["hasAllItems"] == true)
    }
}
