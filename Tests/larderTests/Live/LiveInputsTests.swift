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
    func whatSomeOperationTakesIsRight(given: [String: String]) {
        #expect(LiveInputs(given).fault(for: resources) == nil)
    }

    @Test(
        arguments: [
            ("charcter.id", "did you mean 'character.id'?"), ("nmae", "did you mean 'name'?"),
            ("nothingLikeIt", "there is 'gender', 'id', 'name', 'species', 'status', 'type'"),
        ])
    func whatNoneTakesIsTold(name: String, hint: String) {
        let fault = LiveInputs([name: "x", "id": "1"]).fault(for: resources)
        #expect(fault == "--with: nothing that is tried takes '\(name)'; \(hint)")
    }

    @Test func whatIsSaidOfOneResourceComesFirst() {
        let inputs = LiveInputs(["id": "1", "character.id": "2", "name": "rick"])
        #expect(inputs.value("id", of: resources[0]) == "2" && inputs.value("name", of: resources[0]) == "rick")
        #expect(inputs.value("status", of: resources[0]) == nil)
    }
}
