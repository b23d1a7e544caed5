import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct CallArgumentsTests {
    @Test(
        arguments: [
            ([], "{}"), (["id=1"], #"{"id":1}"#), (["id=007"], #"{"id":"007"}"#), (["text=rick"], #"{"text":"rick"}"#),
            (["text=\"1\""], #"{"text":"1"}"#), (["text="], #"{"text":""}"#), (["text=a=b"], #"{"text":"a=b"}"#),
            (["ids=[1,2]"], #"{"ids":[1,2]}"#), (["flag=true", "none=null"], #"{"flag":true,"none":null}"#),
            (["n=-1.50"], #"{"n":-1.50}"#),
            (["filter.name=rick", "filter.status=Alive"], #"{"filter":{"name":"rick","status":"Alive"}}"#),
            (["a.b.c=1", "a.d=2"], #"{"a":{"b":{"c":1},"d":2}}"#),
            ([#"{"id":1,"x":{"y":2}}"#, "z=3"], #"{"id":1,"x":{"y":2},"z":3}"#),
            (["text=[draft] foo]"], #"{"text":"[draft] foo]"}"#), (["text=[1, 2] "], #"{"text":[1,2]}"#),
            (["{\"a\":1}", "{\"b\":2}"], #"{"a":1,"b":2}"#), (["text={oops"], #"{"text":"{oops"}"#),
            (["text=\u{E9}\n"], #"{"text":"é\n"}"#),
        ] as [([String], String)])
    func argumentsAreMergedIntoOneObject(words: [String], json: String) throws {
        #expect(try CallArguments.params(words).text == json)
    }

    @Test(
        arguments: [
            ("id", "'id' must be key=value or a JSON object"), ("=1", "'=1' must be key=value or a JSON object"),
            ("", "'' must be key=value or a JSON object"), ("[1]", "'[1]' must be key=value or a JSON object"),
            ("{", "'{' is not a JSON object"), ("{\"a\":1,}", "'{\"a\":1,}' is not a JSON object"),
        ])
    func invalidArgumentIsRefused(word: String, message: String) {
        #expect(throws: UsageError(message: message)) { try CallArguments.params([word]) }
    }

    @Test(
        arguments: [
            (["id=1", "id=2"], "id"), (["id=1", "x=2", "id=1"], "id"), ([#"{"id":1}"#, "id=3"], "id"),
            (["id=3", #"{"id":1}"#], "id"), ([#"{"a":1}"#, #"{"a":2}"#], "a"),
            (["filter.name=rick", "filter.name=morty"], "filter.name"), (["a=1", "a.b=2"], "a"),
            (["a.b=2", "a=1"], "a"), (["a.b=1", "a.b.c=2"], "a.b"), (["a.b.c=1", "a.b=2"], "a.b"),
            ([#"filter={"name":"rick"}"#, "filter.status=Alive"], "filter"),
        ])
    func secondValueOfAKeyIsRefused(words: [String], key: String) {
        #expect(throws: UsageError(message: "'\(key)' is given twice; pass it once")) {
            try CallArguments.params(words)
        }
    }

    @Test func argumentNestsUpTo100Levels() throws {
        let key = String(repeating: "a.", count: 99) + "a"
        let json = String(repeating: #"{"a":"#, count: 100) + "1" + String(repeating: "}", count: 100)
        #expect(try CallArguments.params(["\(key)=1"]).text == json)
        let message = "the key of an argument can have at most 100 parts separated by dots; shorten the key"
        #expect(throws: UsageError(message: message)) {
            try CallArguments.params(["a.\(key)=1"])
        }
    }
}
