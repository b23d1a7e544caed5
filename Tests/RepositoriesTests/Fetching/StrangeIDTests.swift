import JSON
import DataSources
import Repositories
import TestSupport
import Testing

/// Items that say they have another id than the one that was asked for.
@Suite(.limited) struct StrangeIDTests {
    /// A stage whose remote gives item 7 for whatever is asked for.
    private static func stage(isStrict: Bool, maxIDs: Int? = nil) throws -> Stage {
        let stage = try Stage(Declaration(hasStrictIDs: isStrict), maxIDs: maxIDs)
        let seven = try Stage.dto("7", "seven")
        stage.remote.setItem { _ in .success(seven) }
        stage.remote.setItems { _ in .success([seven]) }
        return stage
    }

    private static let warning = """
        thing: asked for '1', the API sent an item with the id '7'; with "strictIDs" in the catalog this is an error
        """

    @Test func itIsToldOnce() async throws {
        let stage = try Self.stage(isStrict: false)
        for _ in 0..<3 {
            let answer = try await stage.repository.item("1", CacheControl(.remoteFirst))
            #expect(answer.value.text == Stage.text("7", "seven"))
        }
        #expect(stage.warnings.withLock { $0 } == [Self.warning])
        _ = try await stage.repository.item("7", CacheControl())
        #expect(stage.warnings.withLock { $0.count } == 1, "that is the id it has")
    }

    @Test func theLogIsNotFilled() async throws {
        let stage = try Self.stage(isStrict: false)
        for id in 1000..<1200 { _ = try await stage.repository.item(String(id), CacheControl(.none)) }
        let warnings = stage.warnings.withLock { $0 }
        #expect(warnings.count == 100)
        #expect(warnings.last?.hasSuffix("; no more are told") == true)
    }

    @Test(arguments: [CachePolicy.localFirst, .remoteFirst, .none])
    func whereIDsAreStrictItIsAFault(policy: CachePolicy) async throws {
        let stage = try Self.stage(isStrict: true)
        let expected = "'id' must be the id that was asked for, but is the number 7"
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

    @Test(arguments: [#"{"v":1}"#, #"{"id":null}"#, #"{"id":{"n":1}}"#, #"{"id":""}"#])
    func whereIDsAreStrictNoneIsAFault(text: String) async throws {
        for isStrict in [true, false] {
            let stage = try Stage(Declaration(fields: nil, hasStrictIDs: isStrict))
            let item = try Stage.dto(text)
            stage.remote.setItem { _ in .success(item) }
            do {
                _ = try await stage.repository.item("1", CacheControl())
                #expect(!isStrict, "it was taken")
            } catch {
                #expect(isStrict && error.cause?.message.hasPrefix("'id' must be the id that was asked for") == true)
            }
            #expect((stage.repository.cachedItem("1", CacheControl(.localOnly)) != nil) == !isStrict)
        }
    }

    @Test func oneOfSeveral() async throws {
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
