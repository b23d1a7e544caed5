import DataSources

/// Reports the faults and warnings of the catalog that the server would use.
struct DoctorCatalogCheck: DoctorCheckContract {
    func findings(for subject: DoctorSubject) async -> [DoctorFinding] {
        let found = subject.catalog
        var findings = found.faults.map { DoctorFinding(.fault, "catalog", $0) }
        findings += found.warnings.map { DoctorFinding(.warning, "catalog", $0) }
        if findings.isEmpty, let catalog = found.catalog {
            let (resources, apis) = (catalog.resources.count, catalog.apis.count)
            let counted = "\(resources) resource\(resources == 1 ? "" : "s") of \(apis) API\(apis == 1 ? "" : "s")"
            findings.append(DoctorFinding(.ok, "catalog", "\(found.origin): \(counted)"))
        }
        return findings
    }
}

/// Reports the APIs that Larder cannot call because a secret or variable is missing.
struct DoctorSecretsCheck: DoctorCheckContract {
    /// The maximum number of missing secrets and variables that the message about one API lists.
    private static let maxCount = 5

    func findings(for subject: DoctorSubject) async -> [DoctorFinding] {
        guard let catalog = subject.catalog.catalog else { return [] }
        if let reason = subject.noNetwork { return [DoctorFinding(.ok, "secrets", reason)] }
        let findings = subject.apis.filter { !$0.missingValues.isEmpty }.map { api in
            let listed = api.missingValues.prefix(Self.maxCount).map { absence in
                "\(absence.message) (\(absence.place.text(in: subject.catalog.origin)))"
            }
            let more = api.missingValues.count - listed.count
            return DoctorFinding(
                .warning, "secrets",
                "no requests are sent to the API '\(api.name)': \(listed.joined(separator: "; "))"
                    + (more > 0 ? "; and \(more) more" : "") + "; set the missing values and restart larder")
        }
        guard findings.isEmpty else { return findings }
        let message =
            catalog.secrets.isEmpty
            ? "the catalog needs no secrets"
            : "all secrets of the catalog are set; run 'larder check --live' to test them"
        return [DoctorFinding(.ok, "secrets", message)]
    }
}
