import DataSources
import JSON
import Mocks
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct PeopleParamsTests {
    private func params(
        _ command: PeopleCommand, _ words: [String], _ options: PeopleOptions = PeopleOptions()
    ) throws -> String {
        let resource = try RickAndMorty.rest.resource("character")
        return JSONValue.object(try PeopleParams(command: command, resource: resource).params(words, options)).text
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
        ] as [(PeopleCommand, [String], String)])
    func argumentsBecomeParams(command: PeopleCommand, words: [String], json: String) throws {
        #expect(try params(command, words) == json)
    }

    @Test func optionsBecomeParams() throws {
        var options = PeopleOptions()
        options.fields = ["id", "origin.name"]
        options.page = "3"
        #expect(try params(.list, [], options) == #"{"fields":["id","origin.name"],"page":3}"#)
    }

    @Test(
        arguments: [
            (.list, ["nmae=x"], "'list character' does not accept 'nmae'; did you mean 'name'?"),
            (.get, ["name=x"], "'get character' does not accept 'name'"),
            (.search, ["a=b"], "'search character' does not accept 'a'"),
            (.list, ["name=a", "name=b"], "'name' is given twice"),
            (.list, ["page=1", "page=2"], "'page' is given twice"),
            (.list, ["filter.=x"], "'list character' does not accept 'filter.'"),
            (.list, ["=x"], "'list character' does not accept ''"),
            (.prefetch, ["page=1"], "'prefetch character' does not accept 'page'"),
            (.prefetch, ["workDoneToken=1"], "'prefetch character' does not accept 'workDoneToken'"),
        ] as [(PeopleCommand, [String], String)])
    func unknownOrRepeatedNameIsRefused(command: PeopleCommand, words: [String], message: String) {
        #expect { try params(command, words) } throws: { ($0 as? PeopleFailure)?.message == message }
    }

    @Test func formListsTheArgumentsOfTheCommand() throws {
        let resource = try RickAndMorty.rest.resource("location")
        #expect(
            PeopleParams(command: .list, resource: resource).form
                == "larder list location [name=VALUE] [type=VALUE] [dimension=VALUE]")
        #expect(PeopleParams(command: .get, resource: resource).form == "larder get location ID")
    }
}
