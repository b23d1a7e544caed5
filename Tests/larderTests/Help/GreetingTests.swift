import Catalog
import Mocks
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct GreetingTests {
    @Test(
        arguments: [
            (#""owner": {"type": "string", "default": "a"}"#, "", true), (#""owner": "string""#, "", false),
            ("", #""q": "q""#, true), ("", #""q": {"required": true}"#, false),
            (#""owner": {"type": "string", "default": "a"}"#, #""q": {"required": true}"#, false),
            (#""owner": "string""#, #""q": {"required": true}"#, false),
        ])
    func introductionListsAResourceThatNeedsNoArguments(scope: String, filters: String, isListed: Bool) throws {
        let path = scope.isEmpty ? "/t" : "/{owner}/t"
        let text = CatalogText.make(
            id: #""integer", "scope": {\#(scope)}"#, rest: #"{"list": {"path": "\#(path)", "filters": {\#(filters)}}}"#)
        #expect(Greeting.isListedByName(try CatalogText.decode(text).resources[0]) == isListed)
    }

    @Test func introductionListsOnlyResourcesThatHaveAList() throws {
        #expect(!Greeting.isListedByName(try CatalogText.decode(CatalogText.make()).resources[0]))
    }
}
