import Catalog
import Model
import System

/// Makes tokens of what commands say.
struct CommandTokens: Sendable {
    /// How much of what a failed command wrote to its stderr is told.
    private static let told = 200

    let command: TokenCommand
    /// Those of the catalog that declares the command: its words may hold some.
    let secrets: [String]
    let learned: LearnedSecrets
    let run: @Sendable ([String]) async -> Program.Finished

    /// Runs the command. A failure is `unauthorized`: no API has said anything, so what is cached may stand in.
    func issue() async -> Result<TokenKeeper.Issued, APIError> {
        let finished = await run(command.words)
        let line = finished.output.prefix { $0 != UInt8(ascii: "\n") }
        let text = String(validating: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        // Also of one that has failed: its other words may hold it.
        if let text { learned.add(text) }
        if let reason = reason(finished) { return .failure(failure(reason)) }
        guard let text, !text.isEmpty, HTTPHeader.isSafe(name: "x", value: text) else {
            return .failure(failure("said nothing that can be sent: its first line must be one of text"))
        }
        return .success(TokenKeeper.Issued(text, lifetime: command.lifetime))
    }

    private func failure(_ reason: String) -> APIError {
        var error = APIError(.unauthorized, "the command '\(command.words.first ?? "")' \(reason)")
        error.isOfCatalog = true
        return error
    }

    /// Why what a command wrote is no token; nil where it may be one.
    private func reason(_ finished: Program.Finished) -> String? {
        switch finished.ending {
        case .exited(0): nil
        case .exited(let code): "ended with exit code \(code)" + words(finished.errors)
        case .signalled(let number): "was ended by signal \(number)" + words(finished.errors)
        case .timedOut(let milliseconds): "did not end within \(milliseconds / 1000) s" + words(finished.errors)
        case .tooMuch(let limit): "wrote more than \(limit >> 10) KiB"
        case .notStarted(let reason): "could not be run: \(reason)"
        }
    }

    /// The command's own words in one line. Secrets are taken out first: one that has been decoded, joined or cut
    /// would not be found any more.
    private func words(_ bytes: [UInt8]) -> String {
        let redacted = Redactor(secrets: secrets, learned: learned).redact(bytes)
        let text = String(decoding: redacted, as: UTF8.self)
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(Self.told)
        return line.isEmpty ? "" : ": \(line)"
    }
}
