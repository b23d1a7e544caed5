import DataSources
import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import RPCServer
@testable import larder

@Suite(.limited) struct LiveInputsTests {
    private let resources: [ResourceDefinition]

    init() throws { resources = [try RickAndMorty.rest.resource("character")] }

    @Test(arguments: [[:], ["id": "1"], ["character.id": "1", "name": "rick", "character.status": "Alive"]])
    func inputNameUsedByAnyOperationIsAccepted(given: [String: String]) {
        #expect(LiveInputs(given).fault(for: resources) == nil)
    }

    @Test(
        arguments: [
            ("charcter.id", "did you mean 'character.id'?"), ("nmae", "did you mean 'name'?"),
            ("nothingLikeIt", "available: 'gender', 'id', 'name', 'species', 'status', 'type'"),
        ])
    func unknownInputNameOfALiveCheckIsReported(name: String, hint: String) {
        let fault = LiveInputs([name: "x", "id": "1"]).fault(for: resources)
        #expect(fault == "--with: no operation accepts '\(name)'; \(hint)")
    }

    @Test func inputForOneResourceHasPrecedenceInALiveCheck() {
        let inputs = LiveInputs(["id": "1", "character.id": "2", "name": "rick"])
        #expect(inputs.value("id", of: resources[0]) == "2" && inputs.value("name", of: resources[0]) == "rick")
        #expect(inputs.value("status", of: resources[0]) == nil)
    }
}
