import Catalog
import System
import TestSupport
import Testing

@testable import CatalogTools

@Suite(.limited) struct DocumentLocationTests {
    @Test(
        arguments: [
            ("-", DocumentLocation.standardInput), ("http://a.test/x", .url("http://a.test/x")),
            ("HTTPS://a.test", .url("HTTPS://a.test")), ("a.yaml", .file("a.yaml")), ("./-", .file("./-")),
            ("http:/a", .file("http:/a")), ("ftp://a.test/x", .url("ftp://a.test/x")),
        ])
    func argumentDeterminesTheKindOfDocumentLocation(argument: String, location: DocumentLocation) {
        #expect(DocumentLocation(argument) == location)
    }

    @Test(
        arguments: [
            (DocumentLocation.file("api/root.yaml"), "x.yaml", DocumentLocation.file("api/x.yaml")),
            (.file("api/root.yaml"), "./v1/x.yaml", .file("api/v1/x.yaml")),
            (.file("api/root.yaml"), "v1/../x.yaml", .file("api/x.yaml")),
            (.file("../root.yaml"), "x.yaml", .file("../x.yaml")),
            (.file("./root.yaml"), "x.yaml", .file("./x.yaml")),
            (.file("/root.yaml"), "a%20b.yaml", .file("/a b.yaml")),
            (.url("https://a.test/v1/root.yaml?k=1"), "x.yaml", .url("https://a.test/v1/x.yaml")),
            (.url("https://a.test/v1/root.yaml"), "/x.yaml?a=1", .url("https://a.test/x.yaml?a=1")),
            (.url("https://a.test/root.yaml"), "https://A.test:443/x", .url("https://A.test:443/x")),
        ])
    func relativeReferencesAreResolved(base: DocumentLocation, reference: String, location: DocumentLocation) {
        #expect((try? base.resolving(reference, below: base).get()) == location)
    }

    @Test(
        arguments: [
            (DocumentLocation.standardInput, "x.yaml", "must not refer to another document"),
            (.file("r"), "/etc/x.yaml", "must be relative"),
            (.file("r"), "%2Fetc/x.yaml", "must be relative"),
            (.file("r"), "http://a.test/x", "must not refer to a URL"),
            (.file("r"), "file:///etc/x", "must not refer to a URL"),
            (.file("r"), "//a.test/x", "must not refer to a URL"),
            (.file("api/root.yaml"), "../x.yaml", "not in the folder"), (.file("r"), "../x", "not in the folder"),
            (.file("../r"), "../x", "not in the folder"), (.file("/a/r"), "../../x", "not in the folder"),
            (.file("a/r"), "../ab/x", "not in the folder"), (.file("a/r"), "%2e%2e/x", "not in the folder"),
            (.url("https://a.test/r"), "https://b.test/x", "the same origin"),
            (.url("https://a.test/r"), "http://a.test/x", "the same origin"),
            (.url("https://a.test/r"), "//b.test/x", "the same origin"),
            (.url("https://a.test/r"), "file:///etc/x", "the reference must be an http or https URL"),
        ])
    func referencesOutsideTheFolderOrOriginAreRefused(base: DocumentLocation, reference: String, reason: String) {
        guard case .failure(let message) = base.resolving(reference, below: base) else {
            Issue.record("'\(reference)' is resolved")
            return
        }
        #expect(message.message.contains(reason))
    }
}
