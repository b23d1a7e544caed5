import JSON
import Model
import System

extension OptionDefinition {
    /// The options of `larder sync`.
    static let ofSync: [OptionDefinition] = [
        flag(
            "--whole", "let 'sync' read the list from its first page, however recent the copy is",
            \.people.syncing.isWhole, true, kind: .ofCommand),
        flag("--changes", "print the changed items of 'sync'", \.people.syncing.namesChanges, true, kind: .ofCommand),
        OptionDefinition(
            "--max-age", "DURATION", "skip a local copy that 'sync' made up to this long ago", kind: .ofCommand
        ) { options, value in
            options.people.syncing.maxAge = value.text.flatMap { Quantity.milliseconds($0) }
            return options.people.syncing.maxAge != nil
        },
        OptionDefinition(
            "--max-requests", "N", "largest number of requests of 'sync'; the next call continues",
            expected: expected("N", "from 1"), kind: .ofCommand
        ) { options, value in
            options.people.syncing.maxRequests = value.text.flatMap { Int($0) }
            return options.people.syncing.maxRequests.map { $0 >= 1 } ?? false
        },
        OptionDefinition(
            "--for", "DURATION", "end 'sync' after this time; the next call continues",
            expected: expected("DURATION", "from 1s"), kind: .ofCommand
        ) { options, value in
            options.people.syncing.maxTime = value.text.flatMap { Quantity.milliseconds($0) }
            return options.people.syncing.maxTime.map { $0 >= 1000 } ?? false
        },
        flag(
            "--accept-removals", "let 'sync' remove more than half of a local copy",
            \.people.syncing.acceptsRemovals, true, kind: .ofCommand),
    ]
}
