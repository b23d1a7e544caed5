import DataSources

/// What is wrong with the catalog that would be served.
struct DoctorCatalogCheck: DoctorCheckContract {
    func look(at subject: DoctorSubject) async -> [DoctorFinding] {
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

/// Which APIs are not asked, because a secret or a variable of theirs is missing.
struct DoctorSecretsCheck: DoctorCheckContract {
    private static let most = 5

    func look(at subject: DoctorSubject) async -> [DoctorFinding] {
        guard let catalog = subject.catalog.catalog else { return [] }
        if let reason = subject.noNetwork { return [DoctorFinding(.ok, "secrets", reason)] }
        let findings = catalog.apis.filter { !$0.absences.isEmpty }.map { api in
            let told = api.absences.prefix(Self.most).map { absence in
                "\(absence.message) (\(absence.place.text(in: subject.catalog.origin)))"
            }
            let more = api.absences.count - told.count
            return DoctorFinding(
                .warning, "secrets",
                "the API '\(api.name)' is not asked: \(told.joined(separator: "; "))"
                    + (more > 0 ? "; and \(more) more" : "") + "; set what is missing, and start again")
        }
        guard findings.isEmpty else { return findings }
        let message =
            catalog.secrets.isEmpty
            ? "the catalog needs none"
            : "all that the catalog needs are there; larder check --live tells whether the APIs take them"
        return [DoctorFinding(.ok, "secrets", message)]
    }
}
