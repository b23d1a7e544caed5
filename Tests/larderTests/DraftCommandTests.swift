import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct DraftCommandTests {
    @Test(
        arguments: [
            ("cannot read a.json: No such file", "a.json", "cannot read a.json: No such file"),
            ("not JSON", "a.json", "a.json: not JSON"), ("not JSON", nil, "not JSON"),
            (
                "cannot read 127.0.0.1:80/a: No such file", "127.0.0.1:80/a",
                "cannot read 127.0.0.1:80/a: No such file; to read a URL, write http:// or https:// before it"
            ),
            (
                "cannot read api.test/a: No such file", "api.test/a",
                "cannot read api.test/a: No such file; to read a URL, write http:// or https:// before it"
            ),
            ("cannot read ./a/b.json: No such file", "./a/b.json", "cannot read ./a/b.json: No such file"),
            ("cannot read ../a/b.json: No such file", "../a/b.json", "cannot read ../a/b.json: No such file"),
            ("cannot read /a.b/c: No such file", "/a.b/c", "cannot read /a.b/c: No such file"),
        ] as [(String, String?, String)])
    func missingFileThatLooksLikeAURLHasAHint(reason: String, name: String?, message: String) {
        #expect(DraftCommand.message(of: reason, name) == message)
    }
}
