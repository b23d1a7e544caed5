import RPCServer
import System
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct ColumnsTests {
    private func fields(
        of resource: String, in catalogs: [FilePath] = [], fields: [String]? = nil, sort: String? = nil
    ) throws -> [String]? {
        var options = TerminalOptions()
        options.columns = ["issue": ["id", "title"], "github/issue": ["number"]]
        options.fields = fields
        if let sort { options.order = SortOrder(keys: try #require(SortOrder.keys(sort))) }
        options.useColumns(of: resource, in: catalogs)
        return options.fields
    }

    @Test func settingForTheCatalogHasPrecedence() throws {
        #expect(try fields(of: "issue") == ["id", "title"])
        #expect(try fields(of: "issue", in: ["github"]) == ["number"])
        #expect(try fields(of: "issue", in: ["gitlab"]) == ["id", "title"])
        #expect(try fields(of: "user", in: ["github"]) == nil)
        #expect(try fields(of: "issue", in: ["/a/github.jsonc"]) == ["number"])
        #expect(try fields(of: "github.issue", in: ["gitlab", "github"]) == ["number"])
    }

    @Test func fieldsOnTheCommandLineReplaceTheColumns() throws {
        #expect(try fields(of: "issue", fields: ["a"]) == ["a"])
    }

    @Test func fieldsOfTheSortOptionBecomeColumns() throws {
        #expect(try fields(of: "issue", sort: "-updated,id") == ["id", "title", "updated"])
    }
}
