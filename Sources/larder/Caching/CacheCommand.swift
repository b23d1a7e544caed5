import JSON
import RPCServer
import System

/// `larder cache`: shows or changes the contents of the cache.
extension Larder {
    /// Runs a subcommand, and returns the exit code.
    ///
    /// - Parameter resource: the resource whose entries `clear` removes; nil for all entries.
    /// - Throws: `UsageError` for an unknown resource.
    static func cache(
        _ action: CacheAction, _ resource: String?, _ options: CommandOptions, _ environment: Environment
    ) throws(UsageError) -> Int32 {
        switch action {
        case .path: return showPath(Places(options.process, environment))
        case .stats:
            return contents("cache/stats", nil, options, environment, amend: CacheStatistics.withItems) {
                CacheStatistics($0)?.text($1)
            }
        case .syncs:
            return contents("cache/syncs", nil, options, environment) { SyncList($0)?.text($1) }
        case .clear:
            var options = options
            var params: JSONValue = nil
            if let resource {
                let found = try ResourceReference(resource, options, environment)
                (params, options) = (["resource": .string(found.resource)], found.options)
            }
            return contents("cache/remove", params, options, environment, isForFile: true) { process, _ in
                CacheStatistics.cleared(process, params)
            }
        }
    }

    /// Calls a method that reads or changes the cache. Prints readable text for a terminal. Otherwise prints the
    /// method's result, after `amend` has changed it.
    private static func contents(
        _ method: String, _ params: JSONValue, _ options: CommandOptions, _ environment: Environment,
        isForFile: Bool = false, amend: @escaping (JSONValue, Process) -> JSONValue = { result, _ in result },
        _ text: @escaping (Process, TerminalView) -> String?
    ) -> Int32 {
        let view = view(options, environment)
        guard view.format.isForPeople else {
            return call(method, params, options, environment, isForFile: isForFile, amend: amend) {
                "larder: \($0.message)"
            }
        }
        return start(options, environment, isForFile: isForFile) { process, options in
            let drain = Duration.milliseconds(options.drain)
            guard let text = text(process, view) else { return (ExitCode.failure, drain) }
            return (write(text), drain)
        }
    }

    /// Prints the path of the cache file. If stdout is not a terminal, the bytes of the path are written unchanged,
    /// even if they are invalid UTF-8.
    private static func showPath(_ places: Places) -> Int32 {
        if let name = places.cache?.path.bytes {
            if isatty(1) == 1 { return show(VisibleText.line(String(decoding: name, as: UTF8.self)) + "\n") }
            return write(name + Array("\n".utf8))
        }
        for fault in places.faults where fault.part == "persistence" {
            ErrorStream.fail("larder: there is no cache file: \(fault.reason)\n")
        }
        return ExitCode.failure
    }
}
