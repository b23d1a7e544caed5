import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests the set of secrets that are learned at run time and redacted.
@Suite(.limited) struct LearnedSecretsTests {
    private let learned = LearnedSecrets(maxCount: 4)

    private func finds(_ secret: String) -> Bool { Redactor(secrets: [], learned: learned).finds(in: secret) }

    @Test func leastRecentlyUsedSecretIsForgotten() {
        learned.add("secret-in-use")
        learned.add("secret-of-old")
        for number in 1...2 { learned.add("other-secret-\(number)-x") }
        #expect(finds("secret-in-use") && finds("secret-of-old"))
        learned.add("secret-in-use")
        learned.add("secret-that-is-new")
        #expect(finds("secret-in-use") && finds("secret-that-is-new") && finds("other-secret-1-x"))
        #expect(!finds("secret-of-old"))
    }

    @Test(arguments: ["short", "1234567890"]) func shortOrCommonTextIsNotTreatedAsASecret(secret: String) {
        learned.add(secret)
        #expect(!finds(secret))
    }
}
