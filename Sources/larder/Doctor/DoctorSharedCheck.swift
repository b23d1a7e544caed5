import DataSources

/// Checks whether the server of the shared level is reached and executes Larder's commands, and where its password is.
struct DoctorSharedCheck: DoctorCheckContract {
    private static let what = "shared level"

    func look(at subject: DoctorSubject) async -> [DoctorFinding] {
        let ofPassword = subject.sharedPasswordOrigin.map { [Self.warning(passwordIn: $0)] } ?? []
        return await ofServer(subject) + ofPassword
    }

    /// The finding about a password in the URL.
    static func warning(passwordIn origin: String) -> DoctorFinding {
        let readers =
            origin.hasPrefix("-")
            ? "other users of this machine can read it in the list of processes"
            : "a URL is often copied into logs and files"
        return DoctorFinding(
            .warning, what,
            "\(origin) has a password in its URL: \(readers); set LARDER_SHARED_PASSWORD, or LARDER_SHARED_PASSWORD_FILE"
                + " to the name of a file that holds it, and take it out of the URL")
    }

    private func ofServer(_ subject: DoctorSubject) async -> [DoctorFinding] {
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
