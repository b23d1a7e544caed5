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
            (.search, ["offset=3"], #"{"offset":3}"#), (.prefetch, ["maxPages=2"], #"{"maxPages":2}"#),
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
}
