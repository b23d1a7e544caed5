import TestSupport
import Testing

@testable import Redis

/// Tests that error replies keep only known words of the server's message.
@Suite(.limited) struct RedisErrorReplyTests {
    private static func reply(_ text: String) -> RedisErrorReply { RedisErrorReply(text.utf8) }

    @Test(arguments: [
        ("WRONGPASS invalid username-password pair", "WRONGPASS"), ("OOM", "OOM"), ("ERR hunter2", "ERR"),
        ("hunter2 is wrong", nil), ("PASSWORD is wrong", nil), ("NOAUTHhunter2", nil), ("noauth", nil), ("", nil),
        (" WRONGPASS", nil), ("WRONGPASS\thunter2", nil),
    ]) func onlyKnownErrorCodesAreKept(_ text: String, _ code: String?) {
        #expect(Self.reply(text).code == code)
    }

    @Test(arguments: [
        ("NOPERM this user has no permissions to run the 'mget' command", RedisErrorReply.Cause.lackOfCommand("mget")),
        ("NOPERM User larder has no permissions to run the 'xread' command", .lackOfCommand("xread")),
        ("NOPERM ACL failure in script: User a has no permissions to run the 'get' command", .lackOfCommand("get")),
        ("NOPERM User access-key has no permissions to run the 'get' command", .lackOfCommand("get")),
        ("NOPERM this user has no permissions to run the 'hunter' command", .lackOfCommand(nil)),
        ("NOPERM this user has no permissions to run the 'get", .lackOfCommand("get")),
        ("ERR The user executing the script can't run this command or subcommand", .lackOfCommand(nil)),
        ("NOPERM this user has no permissions to access one of the keys used as arguments", .lackOfKeys),
        ("NOPERM No permissions to access a key", .lackOfKeys),
        ("ERR unknown command `HELLO`, with args beginning with: `3`, `AUTH`, `u`, `hunter2`, ", .unknownCommand),
        ("ERR max number of clients reached", .tooManyClients),
        ("ERR DB index is out of range", .noDatabase), ("ERR invalid DB index", .noDatabase),
        ("ERR syntax error", .other), ("X unknown command", .other), ("OOM command not allowed", .other),
    ]) func causeIsReadFromARedisErrorText(_ text: String, _ cause: RedisErrorReply.Cause) {
        let reply = Self.reply(text)
        #expect(reply.cause == cause)
        let isLack = if case .lackOfCommand = cause { true } else { cause == .lackOfKeys }
        #expect(reply.isLackOfRight == isLack && RESPValue.error(reply).isLackOfRight == isLack)
        #expect(RESPValue.error(reply).isLackOfKeys == (cause == .lackOfKeys))
    }

    /// A password of the server may be too short for the redactor, so the server's message is not kept.
    @Test(arguments: ["hunter2", "PASS", "pass", "a", "SECRET"]) func textOfARedisErrorIsDiscarded(_ secret: String) {
        for text in [
            secret, "ERR \(secret)", "\(secret) ERR", "NOPERM no permissions to run the '\(secret)' command",
            "WRONGPASS \(secret)", "-\(secret)", "NOPERM \(secret) access key",
        ] {
            #expect(!"\(Self.reply(text))".contains("\"\(secret)"), "\(text)")
        }
    }

    @Test func onlyTheBeginningOfTheErrorTextIsRead() {
        let text = "NOPERM " + String(repeating: "x", count: 10_000_000) + " run the 'get' command"
        #expect(Self.reply(text).cause == .lackOfCommand(nil))
    }
}
