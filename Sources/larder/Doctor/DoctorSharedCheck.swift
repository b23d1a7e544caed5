import DataSources

/// Checks whether the Redis server of the shared cache level is reachable and supports Larder's commands. Also warns
/// about a password in the server's URL.
struct DoctorSharedCheck: DoctorCheckContract {
    private static let what = "shared level"

    func findings(for subject: DoctorSubject) async -> [DoctorFinding] {
        let ofPassword = subject.sharedPasswordOrigin.map { [Self.warning(passwordIn: $0)] } ?? []
        return await ofServer(subject) + ofPassword
    }

    /// Returns the warning about a password in the URL of the shared cache level.
    ///
    /// - Parameter origin: the name of the option or environment variable that contains the URL.
    static func warning(passwordIn origin: String) -> DoctorFinding {
        let readers =
            origin.hasPrefix("-")
            ? "other users of this machine can read it in the list of processes"
            : "a URL is often copied into logs and files"
        return DoctorFinding(
            .warning, what,
            "\(origin) has a password in its URL: \(readers); remove the password from the URL, and set"
                + " LARDER_SHARED_PASSWORD to it, or LARDER_SHARED_PASSWORD_FILE to the name of a file with it")
    }

    private func ofServer(_ subject: DoctorSubject) async -> [DoctorFinding] {
        if let fault = subject.sharedFault { return [DoctorFinding(.fault, Self.what, fault)] }
        if let reason = subject.noNetwork { return [DoctorFinding(.ok, Self.what, reason)] }
        guard let level = subject.process.sharedLevel else {
            return [
                DoctorFinding(
                    .ok, Self.what, "off; --shared sets a Redis or Valkey server to share the cache between machines")
            ]
        }
        guard let shared = await level.probe() else {
            return [
                DoctorFinding(
                    .fault, Self.what, "the check of the Redis server returned no result; run 'larder doctor' again")
            ]
        }
        return [Self.finding(shared)]
    }

    /// Returns the result of the check of the shared cache level.
    ///
    /// - Parameter shared: the statistics after one attempt to use the Redis server.
    static func finding(_ shared: SharedStatistics) -> DoctorFinding {
        let version = shared.version.map { " (version \($0))" } ?? ""
        let head = "\(shared.url)\(version), mode \(shared.mode.rawValue), namespace '\(shared.namespace)'"
        guard shared.state == .ok else {
            let reason = shared.reason ?? "the server does not reply"
            let hint = DoctorSharedHint.text(shared).map { ". \($0.prefix(1).uppercased())\($0.dropFirst())" } ?? ""
            return DoctorFinding(.fault, what, "\(head): \(reason); \(consequence(shared))\(hint)")
        }
        let works = shared.mode == .readwrite ? "reading and writing work" : "reading works"
        return DoctorFinding(.ok, what, "\(head): \(works)")
    }

    /// Returns a sentence that explains what Larder can still do after a fault of the shared cache level.
    private static func consequence(_ shared: SharedStatistics) -> String {
        if !shared.isRead { return "larder works without the shared level, and each process fetches its own data" }
        return "larder reads from the shared level (the cache in Redis), but cannot store anything in it"
    }
}
