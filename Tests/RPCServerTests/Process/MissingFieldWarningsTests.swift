import System
import TestSupport
import Testing

@testable import RPCServer

/// Tests for the warnings about requested fields that no item has.
@Suite(.limited) struct MissingFieldWarningsTests {
    private let logged = Lock<[String]>([])

    /// Checks the fields of each list of items in turn, with the same warnings. Returns what was logged.
    private func log(_ names: [String], _ lists: [[String]]) -> [String] {
        let warnings = MissingFieldWarnings { [logged] line in logged.withLock { $0.append(line) } }
        for items in lists { warnings.check(names, of: "thing", in: items.map { Array($0.utf8) }) }
        return logged.withLock { $0 }
    }

    @Test(
        arguments: [
            (["name"], [#"{"id":1,"name":"a"}"#], []),
            (["nam"], [#"{"id":1,"name":"a"}"#], ["no item of 'thing' has the field 'nam'; did you mean 'name'?"]),
            (["colour"], [#"{"id":1}"#], ["no item of 'thing' has the field 'colour'; check its spelling"]),
            (["note"], [#"{"id":1}"#, #"{"note":""}"#], []),
            (["note"], [], []),
            (["a.b"], [#"{"a":{"b":1}}"#], []),
            (["a.b"], [#"{"a":null}"#], []),
            (["a.b"], [#"{"a":[]}"#], []),
            (["a.b"], [#"{"a":[{"c":1},{"b":1}]}"#], []),
            (["a.b"], [#"{"a":[{"c":1}]}"#], ["no item of 'thing' has the field 'a.b'; check its spelling"]),
            (["a.b"], [#"{"a":1}"#], ["no item of 'thing' has the field 'a.b'; check its spelling"]),
            (
                ["owner.logn"], [#"{"id":1,"owner":{"login":"a"}}"#],
                ["no item of 'thing' has the field 'owner.logn'; did you mean 'owner.login'?"]
            ),
            (
                ["ownr.login"], [#"{"id":1,"owner":{"login":"a"}}"#],
                ["no item of 'thing' has the field 'ownr.login'; did you mean 'owner.login'?"]
            ),
            (
                ["tags.0.key"], [#"{"tags":[{"key":1}]}"#],
                ["no item of 'thing' has the field 'tags.0.key'; did you mean 'tags.key'?"]
            ),
            (
                ["tags.0.kye"], [#"{"tags":[1,{"key":1}]}"#],
                ["no item of 'thing' has the field 'tags.0.kye'; did you mean 'tags.key'?"]
            ),
            (
                ["labels.qq"], [#"{"labels":["x"]}"#],
                ["no item of 'thing' has the field 'labels.qq'; check its spelling"]
            ),
            (
                ["x", "id", "y"], [#"{"id":1}"#],
                [
                    "no item of 'thing' has the field 'x'; check its spelling",
                    "no item of 'thing' has the field 'y'; check its spelling",
                ]
            ),
        ])
    func fieldThatNoItemHasIsLogged(names: [String], items: [String], expected: [String]) {
        #expect(log(names, [items]) == expected)
    }

    @Test func eachFieldIsLoggedOnce() {
        #expect(log(["x"], [["{}"], ["{}"], [#"{"x":1}"#]]).count == 1)
    }

    @Test func fieldThatAnEarlierItemHadIsNotLogged() {
        #expect(log(["x", "y"], [[#"{"x":1}"#], ["{}"], [#"{"y":1}"#]]).count == 1)
    }

    @Test func numberOfCheckedFieldsIsLimited() {
        let names = (0..<1000).map { "field\($0)" }
        #expect(log(names, [["{}"], ["{}"]]).count == 1000)
        #expect(log(["another"], [["{}"]]).count == 1001, "each call of `log` has its own warnings")
        let last = MissingFieldWarnings { [logged] line in logged.withLock { $0.append(line) } }
        for name in names + ["another"] { last.check([name], of: "thing", in: [Array("{}".utf8)]) }
        #expect(logged.withLock { $0.count } == 2001)
    }
}
