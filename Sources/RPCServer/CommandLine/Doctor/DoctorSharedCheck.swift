import DataSources

/// Whether the server of the shared level is reached, and does what it is asked for.
struct DoctorSharedCheck: DoctorCheckContract {
    private static let what = "shared level"

    func look(at subject: DoctorSubject) async -> [DoctorFinding] {
        if let fault = subject.sharedFault { return [DoctorFinding(.fault, Self.what, fault)] }
        if let reason = subject.noNetwork { return [DoctorFinding(.ok, Self.what, reason)] }
        guard let level = subject.process.sharedLevel else {
            return [DoctorFinding(.ok, Self.what, "off; --shared names a Redis or Valkey that machines share")]
        }
        guard let shared = await level.probe() else {
            return [DoctorFinding(.fault, Self.what, "it could not be asked")]
        }
        return [Self.finding(shared)]
    }

    /// What its own figures say, after one attempt to use it.
    static func finding(_ shared: SharedStatistics) -> DoctorFinding {
        let version = shared.version.map { " (version \($0))" } ?? ""
        let head = "\(shared.url)\(version), mode \(shared.mode.rawValue), namespace '\(shared.namespace)'"
        guard shared.state == .ok else {
            let reason = shared.reason ?? "it does not answer"
            let hint = DoctorSharedHint.text(shared).map { ". \($0.prefix(1).uppercased())\($0.dropFirst())" } ?? ""
            return DoctorFinding(.fault, what, "\(head): \(reason); \(consequence(shared))\(hint)")
        }
        let verb = shared.mode == .readwrite ? "it can be read and written" : "it can be read"
        return DoctorFinding(.ok, what, "\(head): \(verb)")
    }

    /// What becomes of requests where not all is well.
    private static func consequence(_ shared: SharedStatistics) -> String {
        if !shared.isRead { return "requests go on without it, and each process fetches for itself" }
        return "what others have stored is used, and nothing is stored from here"
    }
}
