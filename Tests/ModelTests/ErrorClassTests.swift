import JSON
import TestSupport
import Testing

@testable import Model

@Suite(.limited) struct ErrorClassTests {
    @Test(
        arguments: [
            (500, true), (503, true), (499, false), (200, true), (299, true), (300, false), (199, false), (nil, false),
        ] as [(Int?, Bool)])
    func statusDecidesWhetherAStaleEntryReplacesAServerError(status: Int?, isReplaced: Bool) {
        #expect(APIError(.serverError, "x", status: status).fallsBackToCache == isReplaced)
    }

    @Test(
        arguments: [
            (.invalidResponse, true), (.decodingFailed, true), (.rateLimited, true), (.network, true),
            (.timeout, true), (.tooLarge, true), (.busy, true), (.notReplayed, true), (.invalidRequest, false),
            (.notFound, false), (.cancelled, false), (.unauthorized, false),
        ] as [(APIError.Kind, Bool)])
    func errorKindDecidesWhetherAStaleEntryIsReturned(kind: APIError.Kind, isReplaced: Bool) {
        #expect(APIError(kind, "x").fallsBackToCache == isReplaced)
    }

    @Test func staleEntryMayReplaceTheErrorForAMissingSecret() {
        var error = APIError(.unauthorized, "x")
        error.isMissingConfiguration = true
        #expect(error.fallsBackToCache)
    }

    @Test(
        arguments: [
            (nil, nil, false), (.header("X"), nil, false), (.header("X"), .header("Y"), false),
            (.body(.whole), nil, true), (nil, .body(.whole), true), (.header("X"), .body(.whole), true),
        ] as [(AnswerSelector?, AnswerSelector?, Bool)])
    func bodyIsNotReadUnlessAnErrorRuleSelectsAValueInIt(when: AnswerSelector?, message: AnswerSelector?, reads: Bool) {
        let rule = ErrorRule(
            statuses: nil, when: when, values: nil, isPastTheEnd: false, kind: nil, message: message)
        #expect(rule.readsBody == reads)
    }

    @Test func errorRuleAppliesOnlyToItsStatuses() {
        func rule(_ statuses: [Int]?) -> ErrorRule {
            ErrorRule(statuses: statuses, when: nil, values: nil, isPastTheEnd: false, kind: nil, message: nil)
        }
        #expect(rule(nil).concerns(200) && rule([404, 410]).concerns(410) && !rule([404]).concerns(200))
    }
}
