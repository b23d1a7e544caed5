import DataSources
import JSON
import TestSupport
import Testing

@testable import Catalog
@testable import Model
@testable import Repositories

/// Tests items whose own id differs from the requested id.
@Suite(.limited) struct MismatchedIDTests {
    /// Creates a stage whose remote returns item 7 for every id.
    private static func stage(isStrict: Bool, maxIDs: Int? = nil) throws -> Stage {
        let stage = try Stage(Declaration(hasStrictIDs: isStrict), maxIDs: maxIDs)
        let seven = try Stage.dto("7", "seven")
        stage.remote.setItem { _ in .success(seven) }
        stage.remote.setItems { _ in .success([seven]) }
        return stage
    }

    private static let warning = """
        thing: the API returned the item '7', but '1' was requested; set "strictIDs" in the catalog to make this an \
        error
        """

    @Test func mismatchedIDIsLoggedOnce() async throws {
        let stage = try Self.stage(isStrict: false)
        for _ in 0..<3 {
            let answer = try await stage.repository.item("1", CacheControl(.remoteFirst))
            #expect(answer.value.text == Stage.text("7", "seven"))
        }
        #expect(stage.warnings.withLock { $0 } == [Self.warning])
        _ = try await stage.repository.item("7", CacheControl())
        #expect(stage.warnings.withLock { $0.count } == 1, "the requested id is the item's own id")
    }

    @Test func numberOfLoggedMismatchesIsLimited() async throws {
        let stage = try Self.stage(isStrict: false)
        for id in 1000..<1200 { _ = try await stage.repository.item(String(id), CacheControl(.none)) }
        let warnings = stage.warnings.withLock { $0 }
        #expect(warnings.count == 100)
        #expect(warnings.last?.hasSuffix("; further messages of this kind are not logged") == true)
    }

    @Test(arguments: [CachePolicy.localFirst, .remoteFirst, .none])
    func mismatchedIDIsAnErrorIfIDsAreStrict(policy: CachePolicy) async throws {
        let stage = try Self.stage(isStrict: true)
        let expected = "'id' must be the requested id, but is the number 7"
        do {
            _ = try await stage.repository.item("1", CacheControl(policy))
            Issue.record("it was taken")
        } catch {
            #expect(error.cause?.kind == .decodingFailed)
            #expect(error.cause?.message == expected)
            #expect(error.cause?.path == "id")
        }
        #expect(stage.repository.cachedItem("1", CacheControl(.localOnly)) == nil)
        #expect(stage.warnings.withLock { $0 } == [])
    }

    @Test(arguments: [#"{"v":1}"#, #"{"id":null,"v":1}"#, #"{"id":{"n":1},"v":1}"#, #"{"id":"","v":1}"#])
    func missingIDIsAnErrorIfIDsAreStrict(text: String) async throws {
        for isStrict in [true, false] {
            let stage = try Stage(Declaration(fields: #"{"v": "integer?"}"#, hasStrictIDs: isStrict))
            let item = try Stage.dto(text)
            stage.remote.setItem { _ in .success(item) }
            do {
                _ = try await stage.repository.item("1", CacheControl())
                #expect(!isStrict, "it was taken")
            } catch {
                #expect(isStrict && error.cause?.message.hasPrefix("'id' must be the requested id") == true)
            }
            #expect((stage.repository.cachedItem("1", CacheControl(.localOnly)) != nil) == !isStrict)
        }
    }

    @Test func mismatchedIDInABatchIsLoggedOrAnError() async throws {
        let stage = try Self.stage(isStrict: false, maxIDs: 10)
        let answer = try await stage.repository.items(["1", "2"], CacheControl())
        #expect(answer.missing == ["1", "2"])
        #expect(stage.warnings.withLock { $0.count } == 1)
        let strict = try Self.stage(isStrict: true, maxIDs: 10)
        do {
            _ = try await strict.repository.items(["1", "2"], CacheControl())
            Issue.record("it was taken")
        } catch {
            #expect(error.cause?.kind == .decodingFailed)
        }
    }
}

/// Tests 2xx answers that do not contain the requested item.
@Suite(.limited) struct MissingItemTests {
    private static let derived = #"{"type": "integer", "from": "number"}"#
    private static let keyed = #"{"type": "integer", "from": "@key"}"#

    static let rows: [(declaration: Declaration, good: String, other: String)] = [
        (Declaration(fields: nil), #"{"id":1}"#, "{}"),
        (Declaration(fields: nil), #"{"id":1}"#, #"{"ok":false}"#),
        (Declaration(fields: nil), #"{"id":1}"#, #"{"v":1}"#),
        (Declaration(fields: #"{"name": "string?"}"#), #"{"name":"x"}"#, #"{"ok":false}"#),
        (Declaration(fields: #"{"name": "string?"}"#), #"{"id":1}"#, #"{"id":null,"name":null}"#),
        (Declaration(fields: #"{"all?": {"from": "l.*", "type": ["any?"]}}"#), #"{"l":[]}"#, #"{"ok":false}"#),
        // The field `id` is derived from the requested id, so it does not show that there is an item.
        (Declaration(id: derived, fields: #"{"id": "integer", "n": "string?"}"#), #"{"n":"x"}"#, #"{"status":"no"}"#),
        (Declaration(id: keyed, fields: nil), #"{"v":1}"#, #"{"v":null}"#),
    ]

    @Test(arguments: rows.indices) func answerWithoutAnItemKeepsTheCachedItem(index: Int) async throws {
        let row = Self.rows[index]
        let stage = try Stage(row.declaration)
        let good = try Stage.dto(row.good)
        stage.remote.setItem { _ in .success(good) }
        let kept = try await stage.repository.item("1", CacheControl()).value
        let other = try Stage.dto(row.other)
        stage.remote.setItem { _ in .success(other) }
        let answer = try await stage.repository.item("1", CacheControl(.remoteFirst))
        #expect(answer.value == kept)
        #expect(answer.fallback?.kind == .decodingFailed)
        await #expect(throws: RepositoryError.self) { try await stage.repository.item("2", CacheControl()) }
        #expect(stage.repository.cachedItem("2", CacheControl(.localOnly)) == nil)
    }

    @Test func errorContainsTheMissingIDAndFields() async throws {
        let stage = try Stage(Declaration(fields: #"{"name": "string?"}"#))
        let other = try Stage.dto(#"{"ok":false}"#, path: "data.thing")
        stage.remote.setItem { _ in .success(other) }
        do {
            _ = try await stage.repository.item("1", CacheControl())
            Issue.record("it was taken")
        } catch {
            let message = "'data.thing' contains no item: no id at 'id' and none of the declared fields"
            #expect(error.cause?.message.hasPrefix(message) == true, "\(error)")
            #expect(error.cause?.path == "data.thing")
        }
    }

    /// An item of a resource without a list needs no id, but an error object does not count as an item.
    @Test func itemOfAResourceWithoutListNeedsNoID() throws {
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://a.test"}}, "resources": {"weather": {
              "api": "a", "id": "string", "rest": {"get": {"path": "/weather/{id}"}}}}}
            """
        let mapper = ItemMapper(try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources[0])
        let items = [
            #"{"a":1}"#, #"{"message":"https://a.test/1.jpg","status":"success"}"#, #"{"status":"online"}"#,
            #"{"error":null,"errors":[],"success":true,"v":1}"#, #"{"error":0,"code":"x"}"#,
        ]
        for item in items {
            let known = Array(#"{"v":1}"#.utf8)
            let mapped = try mapper.requesting("x", cached: known).map(Stage.dto(item))
            #expect(mapped.json.text == item)
            #expect(throws: APIError.self, "the cached item has an id") {
                try mapper.requesting("x", cached: Array(#"{"id":"x"}"#.utf8)).map(Stage.dto(item))
            }
        }
        let errors = [
            "{}", #"{"v":null}"#, #"{"ok":false}"#, #"{"success":false,"v":1}"#, #"{"error":"no","status":"x"}"#,
            #"{"errors":[1],"v":1}"#,
        ]
        for error in errors {
            #expect(throws: APIError.self) { try mapper.requesting("x").map(Stage.dto(error)) }
        }
    }

    /// An item needs no id if the path of its request contains no id.
    @Test func itemNeedsNoIDIfItsPathContainsNoID() throws {
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://a.test"}}, "resources": {"thing": {
              "api": "a", "id": "string", "rest": {"get": {"path": "/settings"}}}}}
            """
        let resource = try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources[0]
        #expect(!resource.showsIDs)
        let mapper = ItemMapper(resource)
        #expect(try mapper.requesting("x").map(Stage.dto(#"{"a":1}"#)).json.text == #"{"a":1}"#)
        #expect(throws: APIError.self) { try mapper.requesting("x").map(Stage.dto("{}")) }
    }
}
