import Catalog
import DataSources
import Model

/// Whether requests can be made at all, and each API is reached. What it answers does not matter, and nothing that is
/// secret is sent.
struct DoctorNetworkCheck: DoctorCheckContract {
    /// How long an API has to answer, in milliseconds.
    private static let patience = 2000

    func look(at subject: DoctorSubject) async -> [DoctorFinding] {
        if let reason = subject.noNetwork { return [DoctorFinding(.ok, "network", reason)] }
        switch Reachability.library {
        case .failure(let error): return [DoctorFinding(.fault, "network", error.message)]
        case .success(let library):
            // A URL with a variable that is missing leads nowhere.
            let apis = subject.apis.filter(\.absences.isEmpty)
            return [DoctorFinding(.ok, "network", library)] + (await look(at: apis, subject))
        }
    }

    private func look(at apis: [APIDefinition], _ subject: DoctorSubject) async -> [DoctorFinding] {
        let reachability = Reachability(subject.process.remotes.transport, redactor: subject.redactor)
        let failures = await withTaskGroup(of: (Int, String?).self, returning: [Int: String].self) { group in
            for (index, api) in apis.enumerated() {
                group.addTask { (index, await reachability.failure(of: api, within: Self.patience)) }
            }
            var failures: [Int: String] = [:]
            for await (index, failure) in group { failures[index] = failure }
            return failures
        }
        return apis.enumerated().map { index, api in
            let name = "the API '\(api.name)' (\(subject.redactor.redact(Userinfo.hide(in: api.reachedAt))))"
            guard let failure = failures[index] else { return DoctorFinding(.ok, "network", "\(name) is reached") }
            return DoctorFinding(
                .warning, "network",
                "\(name): \(failure); is its address right (baseURL, --base-url), does it want a proxy (https_proxy)?")
        }
    }
}
