import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests concurrent requests for a token, and the token's lifetime.
@Suite(.limited) struct TokenProviderTests {
    private typealias Outcome = Result<TokenProvider.Token, APIError>

    private let timer = TimerMock()
    private let asked = Watched(0)
    private let gate = Gate()

    /// Returns a provider that issues `t1`, `t2` and so on.
    private func provider(lifetime: Int? = nil, held: Bool = false) -> TokenProvider {
        TokenProvider(timer: timer) { [asked, gate] in
            let count = asked.change { count in
                count += 1
                return count
            }
            if held { try? await gate.wait() }
            return .success(TokenProvider.Issued("t\(count)", lifetime: lifetime))
        }
    }

    private func token(_ provider: TokenProvider, within time: Int = 10_000) async -> Outcome {
        do throws(APIError) {
            return .success(try await provider.token(before: timer.milliseconds + time))
        } catch {
            return .failure(error)
        }
    }

    private static func text(_ result: Outcome) -> String? { try? result.get().text }

    @Test func concurrentCallersShareOneTokenRequest() async {
        let provider = provider(held: true)
        let texts = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<100 { group.addTask { Self.text(await token(provider)) } }
            await asked.wait { $0 == 1 }
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == [String?](repeating: "t1", count: 100))
        #expect(Self.text(await token(provider)) == "t1" && asked.value == 1)
    }

    @Test func tokenIsUsedUntilItExpires() async {
        let provider = provider(lifetime: 1000)
        #expect(Self.text(await token(provider)) == "t1")
        timer.advance(milliseconds: 999)
        #expect(Self.text(await token(provider)) == "t1")
        timer.advance(milliseconds: 1)
        #expect(Self.text(await token(provider)) == "t2")
    }

    @Test func tokenLifetimeStartsWithTheRequest() async {
        let asked = Watched(0)
        let provider = TokenProvider(timer: timer) { [timer] in
            timer.advance(milliseconds: 400)
            let count = asked.change { count in
                count += 1
                return count
            }
            return .success(TokenProvider.Issued("t\(count)", lifetime: 1000))
        }
        #expect(Self.text(await token(provider)) == "t1")
        timer.advance(milliseconds: 599)
        #expect(Self.text(await token(provider)) == "t1")
        timer.advance(milliseconds: 1)
        #expect(Self.text(await token(provider)) == "t2")
    }

    @Test func tokenWithoutLifetimeIsUsedUntilItIsRejected() async throws {
        let provider = provider()
        let first = try await token(provider).get()
        timer.advance(milliseconds: 1 << 40)
        #expect(Self.text(await token(provider)) == "t1")
        provider.refuse(first)
        #expect(Self.text(await token(provider)) == "t2")
        // A late rejection of the old token does not affect the new one.
        provider.refuse(first)
        #expect(Self.text(await token(provider)) == "t2" && asked.value == 2)
    }

    @Test func deadlineOfOneCallerDoesNotEndTheTokenRequest() async {
        let provider = provider(held: true)
        async let brief = token(provider, within: 100)
        async let patient = token(provider, within: 1000)
        await asked.wait { $0 == 1 }
        await timer.waitForAlarms(2)
        timer.advance(milliseconds: 100)
        let late = APIError(.timeout, "the token was not issued before the request's timeout; try again later")
        #expect(await brief == .failure(late))
        gate.open()
        #expect(Self.text(await patient) == "t1")
    }

    @Test func cancelledCallerDoesNotEndTheTokenRequest() async {
        let provider = provider(held: true)
        let task = Task { await token(provider) }
        await asked.wait { $0 == 1 }
        task.cancel()
        #expect(await task.value == .failure(APIError(.cancelled, "the request was cancelled")))
        gate.open()
        #expect(Self.text(await token(provider)) == "t1" && asked.value == 1)
    }

    @Test func failedTokenRequestReachesAllCallersAndIsRetriedByTheNextCaller() async {
        let asked = Watched(0)
        let provider = TokenProvider(timer: timer) {
            asked.change { $0 += 1 }
            return .failure(APIError(.unauthorized, "no"))
        }
        for count in 1...2 {
            #expect(await token(provider) == .failure(APIError(.unauthorized, "no")))
            #expect(asked.value == count)
        }
    }
}
