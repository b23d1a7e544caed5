/// The time of day in the time zone of this machine.
package enum LocalTime {
    /// Returns the time of day of a timestamp as `HH:MM:SS`.
    package static func text(_ timestamp: Timestamp) -> String {
        var seconds = time_t(timestamp.milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
