import Catalog
import Model
import System

/// Gets access tokens from a command that the catalog declares. The first line of the command's output is the token.
struct CommandTokens: Sendable {
    /// The maximum length of a command's error output in an error message, in characters.
    private static let maxErrorLength = 200

    let command: TokenCommand
    /// The secrets of the catalog, which are redacted in the command's error output.
    let secrets: [String]
    let learned: LearnedSecrets
    let run: @Sendable ([String]) async -> Program.Finished

    /// Runs the command and returns the token that the command prints. A failure is an `unauthorized` error with
    /// `isMissingConfiguration`. Cached values can then still be used, because the API itself did not deny access.
    func issue() async -> Result<TokenProvider.Issued, APIError> {
        let finished = await run(command.words)
        let line = finished.output.prefix { $0 != UInt8(ascii: "\n") }
        let text = String(validating: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        // The token is added to the learned secrets even after a failure, because the error output may contain it.
        if let text { learned.add(text) }
        if let reason = reason(finished) { return .failure(failure(reason)) }
        guard let text, !text.isEmpty, HTTPHeader.isSafe(name: "x", value: text) else {
            return .failure(failure("printed no usable token: the first line of its output must be printable text"))
        }
        return .success(TokenProvider.Issued(text, lifetime: command.lifetime))
    }

    private func failure(_ reason: String) -> APIError {
        var error = APIError(.unauthorized, "the command '\(command.words.first ?? "")' \(reason)")
        error.isMissingConfiguration = true
        return error
    }

    /// Returns the reason why the command failed; nil if the command succeeded.
    private func reason(_ finished: Program.Finished) -> String? {
        switch finished.ending {
        case .exited(0): nil
        case .exited(let code): "failed with exit code \(code)" + errorText(finished.errors)
        case .signalled(let number): "was killed by signal \(number)" + errorText(finished.errors)
        case .timedOut(let milliseconds): "did not exit within \(milliseconds / 1000) s" + errorText(finished.errors)
        case .tooMuch(let limit): "wrote more than \(limit >> 10) KiB"
        case .notStarted(let reason): "could not be run: \(reason)"
        }
    }

    /// Returns the command's error output as one line, with secrets redacted.
    // Secrets are replaced first, because a decoded, joined or cut secret could not be found.
    private func errorText(_ bytes: [UInt8]) -> String {
        let redacted = Redactor(secrets: secrets, learned: learned).redact(bytes)
        let text = String(decoding: redacted, as: UTF8.self)
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(Self.maxErrorLength)
        return line.isEmpty ? "" : ": \(line)"
    }
}
