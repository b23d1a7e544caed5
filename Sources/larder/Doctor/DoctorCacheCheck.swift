import DataSources
import RPCServer
import System

/// Checks whether the cache file can be opened, is writable and is undamaged.
struct DoctorCacheCheck: DoctorCheckContract {
    private static let what = "cache file"

    func findings(for subject: DoctorSubject) async -> [DoctorFinding] {
        let process = subject.process
        guard process.options.isPersistent else {
            return [
                DoctorFinding(.ok, Self.what, "not used (--no-persistence): cached data is lost when the process exits")
            ]
        }
        guard let place = Places(process.options, process.environment).cache else {
            let reasons = process.board.degraded.filter { $0.part == "persistence" }.map(\.reason)
            return [DoctorFinding(.warning, Self.what, reasons.joined(separator: "; "))]
        }
        let statistics = await process.shared.cache.statistics()[.persistence] ?? LocalStatistics()
        return [finding(statistics, place.path, degraded: process.board.degraded)]
    }

    private func finding(
        _ statistics: LocalStatistics, _ path: FilePath, degraded: [DegradedPart]
    ) -> DoctorFinding {
        let reason = degraded.first { $0.part == "persistence" }?.reason ?? "\(path) is \(statistics.state.rawValue)"
        switch statistics.state {
        case .unavailable, .off:
            // Some reasons already contain this advice.
            let advice = reason.contains("--cache-dir") ? "" : "; fix this, or choose another folder with --cache-dir"
            return DoctorFinding(.fault, Self.what, reason + advice)
        case .failing: return DoctorFinding(.fault, Self.what, reason)
        case .rebuilt: return DoctorFinding(.warning, Self.what, reason)
        case .ok: break
        }
        if let place = Self.unwritable(path) {
            return DoctorFinding(
                .fault, Self.what,
                "\(path) cannot be updated: \(place) is not writable for this user; change its permissions, or choose"
                    + " another folder with --cache-dir")
        }
        let entries = statistics.entries == 1 ? "1 entry" : "\(statistics.entries) entries"
        let size = "\(entries), \(SizeText.of(statistics.bytes)) of \(SizeText.of(statistics.limit))"
        let damaged = statistics.damaged > 0 ? ", \(statistics.damaged) damaged rows removed" : ""
        return DoctorFinding(.ok, Self.what, "\(path): \(size)\(damaged)")
    }

    /// Returns the path that Larder cannot write to: the cache file or, if it is missing, its nearest existing parent
    /// folder. Returns nil if Larder can write to this path.
    private static func unwritable(_ path: FilePath) -> FilePath? {
        var place = path
        while !Files.exists(place) {
            let parent = place.parent
            guard !parent.isEmpty, parent != place else { return access(".", W_OK) == 0 ? nil : "." }
            place = parent
        }
        return access(place.cString, W_OK) == 0 ? nil : place
    }
}
