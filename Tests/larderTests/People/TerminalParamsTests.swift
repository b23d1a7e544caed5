import DataSources
import JSON
import Mocks
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct TerminalParamsTests {
    private func params(
        _ command: TerminalCommand, _ words: [String], _ options: TerminalOptions = TerminalOptions()
    ) throws -> String {
        let resource = try RickAndMorty.rest.resource("character")
        return JSONValue.object(try TerminalParams(command: command, resource: resource).params(words, options)).text
    }

    @Test(
        arguments: [
            (.get, ["1"], #"{"id":"1"}"#), (.get, ["id=null"], #"{"id":"null"}"#),
            (.get, ["maxAge=60", "-1"], #"{"id":"-1","maxAge":60}"#),
            (.list, ["name=rick", "status=Alive"], #"{"filter":{"name":"rick","status":"Alive"}}"#),
            (.list, ["filter.name=1"], #"{"filter":{"name":1}}"#), (.list, ["page=2"], #"{"page":2}"#),
            (.list, ["page=null"], #"{"page":"null"}"#), (.list, [], "{}"),
            (.search, ["two", "words"], #"{"text":"two words"}"#), (.search, ["text=1"], #"{"text":"1"}"#),
            (.search, ["origin.name=x", "id=1"], #"{"filter":{"origin.name":"x","id":1}}"#),
            (.get, ["1", "2"], #"{"ids":["1","2"]}"#), (.search, ["offset=3"], #"{"offset":3}"#),
            (.prefetch, ["maxPages=2"], #"{"maxPages":2}"#),
        ] as [(TerminalCommand, [String], String)])
    func commandArgumentsBecomeParams(command: TerminalCommand, words: [String], json: String) throws {
        #expect(try params(command, words) == json)
    }

    @Test func commandOptionsBecomeParams() throws {
        var options = TerminalOptions()
        options.fields = ["id", "origin.name"]
        options.page = "3"
        #expect(try params(.list, [], options) == #"{"fields":["id","origin.name"],"page":3}"#)
    }

    @Test(
        arguments: [
            (.list, ["nmae=x"], "'list character' does not accept 'nmae'; did you mean 'name'?"),
            (.get, ["name=x"], "'get character' does not accept 'name'"),
            (.search, ["a=b"], "'search character' does not accept 'a'"),
            (.list, ["name=a", "name=b"], "'name' is given twice; pass it once"),
            (.list, ["page=1", "page=2"], "'page' is given twice; pass it once"),
            (.list, ["filter.=x"], "'list character' does not accept 'filter.'"),
            (.list, ["=x"], "'list character' does not accept ''"),
            (.prefetch, ["page=1"], "'prefetch character' does not accept 'page'"),
            (.prefetch, ["workDoneToken=1"], "'prefetch character' does not accept 'workDoneToken'"),
        ] as [(TerminalCommand, [String], String)])
    func unknownOrRepeatedNameIsRefused(command: TerminalCommand, words: [String], message: String) {
        #expect { try params(command, words) } throws: { ($0 as? TerminalFailure)?.message == message }
    }

    @Test func usageLineListsTheArgumentsOfTheCommand() throws {
        let resource = try RickAndMorty.rest.resource("location")
        #expect(
            TerminalParams(command: .list, resource: resource).form
                == "larder list location [name=VALUE] [type=VALUE] [dimension=VALUE]")
        #expect(TerminalParams(command: .get, resource: resource).form == "larder get location ID")
    }

    @Test(arguments: [
        ("tags=a,b", #"{"tags":["a","b"]}"#), ("bbox=1,2", #"{"bbox":[1,2]}"#), ("plain=a,b", #"{"plain":"a,b"}"#),
    ])
    func valuesOfAnArrayFilterAreSplit(word: String, filter: String) throws {
        let filters = #"{"tags": {"type": ["string"], "split": ","}, "bbox": ["number"], "plain": ["string"]}"#
        let text = CatalogText.make(rest: #"{"list": {"path": "/t", "filters": \#(filters)}}"#)
        let params = TerminalParams(command: .list, resource: try CatalogText.decode(text).resources[0])
        #expect(JSONValue.object(try params.params([word], TerminalOptions())).text == #"{"filter":\#(filter)}"#)
        let name = word.prefix { $0 != "=" }
        let twice = JSONValue.object(try params.params([word, "\(name)=9"], TerminalOptions()))
        #expect(twice["filter"]?[String(name)]?.elements.last?.text.contains("9") == true)
    }

    /// An id may contain `=`.
    @Test(
        arguments: [
            (.get, ["a=b"], #"{"id":"a=b"}"#), (.get, ["a=b", "maxAge=1"], #"{"id":"a=b","maxAge":1}"#),
            (.get, ["a=b", "c=d"], nil), (.get, ["x", "a=b"], nil), (.get, ["id=x", "a=b"], nil), (.list, ["a=b"], nil),
        ] as [(TerminalCommand, [String], String?)])
    func singleArgumentWithAnEqualsSignIsTheIDIfNoParameterHasThatName(
        command: TerminalCommand, words: [String], json: String?
    ) throws {
        let params = TerminalParams(command: command, resource: try TestCatalog.resource("book"))
        let sent = try? JSONValue.object(params.params(words, TerminalOptions())).text
        #expect(sent == json)
    }

    @Test func pageGivenAsOptionAndArgumentIsRefused() {
        var options = TerminalOptions()
        options.page = "3"
        #expect { try params(.list, ["page=3"], options) } throws: {
            ($0 as? TerminalFailure)?.message == "'page' is given twice; pass it once"
        }
    }

    @Test func onlyTheListCommandAcceptsSeveralValuesOfAnArrayFilter() throws {
        let rest = #"{"list": {"path": "/t", "filters": {"tags": {"type": ["string"]}, "ids": ["integer"]}}}"#
        let text = CatalogText.make(fields: #"{"tags": ["string"], "ids": ["integer"]}"#, rest: rest)
        let resource = try CatalogText.decode(text).resources[0]
        func filter(_ command: TerminalCommand, _ words: String...) -> String? {
            let params = TerminalParams(command: command, resource: resource)
            return (try? params.params(words, TerminalOptions()))?["filter"]?.text
        }
        #expect(filter(.list, "tags=a", "tags=b") == #"{"tags":["a","b"]}"#)
        #expect(filter(.list, "ids=1,2", "ids=3") == #"{"ids":[1,2,3]}"#)
        #expect(filter(.search, "tags=a") == #"{"tags":"a"}"#)
        #expect(filter(.search, "tags=a", "tags=b") == nil)
    }

    @Test func usageLineMarksRequiredArguments() throws {
        let id = #""integer", "scope": {"owner": "string", "repo": {"type": "string", "default": "larder"}}"#
        let list = #"{"list": {"path": "/{owner}/{repo}", "filters": {"q": {"required": true}, "state": "state"}}}"#
        let resource = try CatalogText.decode(CatalogText.make(id: id, rest: list)).resources[0]
        func form(_ command: TerminalCommand) -> String { TerminalParams(command: command, resource: resource).form }
        #expect(form(.list) == "larder list thing owner=VALUE [repo=VALUE] q=VALUE [state=VALUE]")
        #expect(form(.search) == "larder search thing TEXT owner=VALUE [repo=VALUE]")
    }

    @Test func sortOrderNamesDeclaredFields() throws {
        let words = TerminalParams(command: .list, resource: try RickAndMorty.rest.resource("character"))
        let (good, bad) = (try #require(SortOrder.keys("name,-origin.name")), try #require(SortOrder.keys("name,nmae")))
        var options = TerminalOptions()
        options.order.keys = good
        #expect(throws: Never.self) { try words.check(options) }
        options.order.keys = bad
        for fields in [nil, ["id", "nmae"], ["id"]] {
            options.fields = fields
            #expect(throws: TerminalFailure("--sort has the unknown field 'nmae'; did you mean 'name'?")) {
                try words.check(options)
            }
        }
    }

    @Test(
        arguments: [
            ("name", ["name"], [], nil),
            ("name", ["id"], ["name"], "--sort needs 'name' in --fields: add it to --fields"),
            ("nam", ["id"], ["id", "name"], "--sort has the unknown field 'nam'; did you mean 'name'?"),
            ("nam", ["id", "name"], [], "--sort has the unknown field 'nam'; did you mean 'name'?"),
            ("nam", ["id"], [], "--sort needs 'nam' in --fields: add it to --fields, or correct the name"),
        ] as [(String, [String], [String], String?)])
    func fieldsOfCachedItemsAreSuggestedForTheSortOrder(
        name: String, fields: [String], cached: [String], message: String?
    ) throws {
        let rest = #"{"list": {"path": "/things"}}"#
        let resource = try CatalogText.decode(CatalogText.make(rest: rest)).resources[0]
        let words = TerminalParams(command: .list, resource: resource)
        var options = TerminalOptions()
        options.order.keys = try #require(SortOrder.keys(name))
        options.fields = fields
        var failure: TerminalFailure?
        do throws(TerminalFailure) { try words.check(options) { cached } } catch { failure = error }
        #expect(failure?.message == message)
    }
}
