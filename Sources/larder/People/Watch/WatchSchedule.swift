import Catalog
import JSON
import Model
import System

/// The times at which `larder watch` sends a request: each time the data becomes stale.
struct WatchSchedule {
    /// The minimum time between two requests if `--interval` is not given, in milliseconds.
    static let minInterval: Milliseconds = 5000

    /// The time between two requests in milliseconds; nil if the command sends no requests after the first.
    let interval: Milliseconds?
    private let isOffline: Bool

    /// Creates the schedule of a command.
    ///
    /// - Parameters:
    ///   - given: the value of `--interval` in milliseconds; nil if this option is not given.
    ///   - freshFor: the age in milliseconds at which the data becomes stale; nil if the data never becomes stale.
    init(given: Milliseconds?, freshFor: Milliseconds?, isOffline: Bool) {
        self.isOffline = isOffline
        interval = isOffline ? nil : given ?? freshFor.map { max($0, Self.minInterval) }
    }

    /// Returns the time until the next request, in milliseconds; nil if there is no next request.
    ///
    /// - Parameters:
    ///   - fetchedAt: the time of the last successful request; nil if this time is unknown.
    ///   - isFirst: whether this is the wait before the first refresh. This wait depends on the age of the data; later
    ///     waits are always `interval`.
    func wait(from fetchedAt: Timestamp?, now: Timestamp, isFirst: Bool) -> Milliseconds? {
        guard let interval else { return nil }
        guard isFirst, let fetchedAt else { return interval }
        let age = Milliseconds(clamping: now.milliseconds - fetchedAt.milliseconds)
        return min(max(interval - age, 0), interval)
    }

    /// Whether the command makes no requests after its start, although it is not offline. If true, the command prints
    /// `note` even if stderr is not a terminal. Without the note, a program might wait for changes that Larder never
    /// requests.
    var lacksRequests: Bool { interval == nil && !isOffline }

    /// The note that describes the schedule to the user.
    var note: String {
        guard let interval else {
            let reason =
                isOffline
                ? "" : ": the catalog has no 'freshFor'; to send requests, use --interval, as in --interval 30s"
            return "watching only the cache, without requests\(reason); press Ctrl-C to stop"
        }
        return "watching, with a new request every \(Self.text(interval)); press Ctrl-C to stop"
    }

    /// Returns a duration in the largest unit that needs no fraction, such as `90s`.
    private static func text(_ duration: Milliseconds) -> String {
        let units = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000)]
        if let (unit, size) = units.first(where: { duration % $0.1 == 0 }) { return "\(duration / size)\(unit)" }
        return duration % 1000 == 0 ? "\(duration / 1000)s" : "\(duration) ms"
    }
}
