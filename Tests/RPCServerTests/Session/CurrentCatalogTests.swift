import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct CurrentCatalogTests {
    private static let (old, new) = ("an-old-secret", "a-new-secret")

    @Test func catalogGenerationChangesWithEachReload() {
        let serving = CurrentCatalog(ServedCatalog(["a": HandlerMock.value(1)]))
        let before = serving.generation
        serving.replace(by: ServedCatalog(["b": HandlerMock.value(2)]))
        #expect(serving.generation != before)
        #expect(serving.current.router.methods == ["b"])
    }

    @Test func listenersAreNotifiedOfLaterCatalogReloads() {
        let serving = CurrentCatalog(ServedCatalog([:]))
        let (told, others) = (Counter(), Counter())
        serving.whenReplaced { told.add() }
        serving.replace(by: ServedCatalog([:]))
        serving.whenReplaced { others.add() }
        serving.replace(by: ServedCatalog([:]))
        #expect(told.value == 2 && others.value == 1)
    }

    @Test func reloadListenerSeesTheNewCatalog() {
        let serving = CurrentCatalog(ServedCatalog([:]))
        let seen = Watched<[Set<String>]>([])
        serving.whenReplaced { seen.change { $0.append(Set(serving.current.router.methods)) } }
        #expect(seen.value == [])
        serving.replace(by: ServedCatalog(["a": HandlerMock.value(1)]))
        serving.replace(by: ServedCatalog(["b": HandlerMock.value(2)]))
        // The listener is called after the replacement.
        #expect(seen.value == [["a"], ["b"]])
    }

    /// Requests in flight may still log an old secret.
    @Test func secretsOfFormerCatalogsAreRedacted() {
        let serving = CurrentCatalog(ServedCatalog([:], secrets: [Self.old]))
        #expect(serving.redactor.redact("\(Self.old) \(Self.new)") == "*** \(Self.new)")
        serving.replace(by: ServedCatalog([:], secrets: [Self.new]))
        #expect(serving.redactor.redact("\(Self.old) \(Self.new)") == "*** ***")
        serving.replace(by: ServedCatalog([:]))
        #expect(serving.redactor.redact("\(Self.old) \(Self.new)") == "*** ***")
    }

    /// A token in a file may change every hour, for months.
    @Test func secretsOfOldCatalogsAreForgotten() {
        let serving = CurrentCatalog(ServedCatalog([:], secrets: [Self.old]))
        for number in 1...8 { serving.replace(by: ServedCatalog([:], secrets: ["secret-number-\(number)"])) }
        #expect(serving.redactor.redact("\(Self.old) secret-number-1") == "*** ***")
        // A reload without new secrets does not replace the remembered secrets.
        serving.replace(by: ServedCatalog([:], secrets: ["secret-number-8"]))
        #expect(serving.redactor.redact("\(Self.old) secret-number-1") == "*** ***")
        serving.replace(by: ServedCatalog([:], secrets: [Self.new]))
        #expect(serving.redactor.redact("\(Self.old) secret-number-1 \(Self.new)") == "\(Self.old) *** ***")
    }
}
