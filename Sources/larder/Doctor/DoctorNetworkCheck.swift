import Catalog
import DataSources
import Model

/// Checks that libcurl can be loaded and that each API is reachable. An API is reachable if it sends any response. The
/// requests contain no secrets.
struct DoctorNetworkCheck: DoctorCheckContract {
    /// The time limit of a request to an API, in milliseconds.
    private static let timeout = 2000

    func findings(for subject: DoctorSubject) async -> [DoctorFinding] {
        if let reason = subject.noNetwork { return [DoctorFinding(.ok, "network", reason)] }
        switch Reachability.library {
        case .failure(let error): return [DoctorFinding(.fault, "network", error.message)]
        case .success(let library):
            // An API without the variables of its base URL cannot be tested. `DoctorSecretsCheck` reports the missing
            // variables.
            let apis = subject.apis.filter(\.missingValues.isEmpty)
            return [DoctorFinding(.ok, "network", library)] + (await findings(for: apis, subject))
        }
    }

    private func findings(for apis: [APIDefinition], _ subject: DoctorSubject) async -> [DoctorFinding] {
        let reachability = Reachability(subject.process.remotes.transport, redactor: subject.redactor)
        let failures = await withTaskGroup(of: (Int, String?).self, returning: [Int: String].self) { group in
            for (index, api) in apis.enumerated() {
                group.addTask { (index, await reachability.failure(of: api, within: Self.timeout)) }
            }
            var failures: [Int: String] = [:]
            for await (index, failure) in group { failures[index] = failure }
            return failures
        }
        return apis.enumerated().map { index, api in
            let name = "the API '\(api.name)' (\(subject.redactor.redact(Userinfo.hide(in: api.effectiveBaseURL))))"
            guard let failure = failures[index] else { return DoctorFinding(.ok, "network", "\(name) is reachable") }
            return DoctorFinding(
                .warning, "network",
                "\(name): \(failure); check the base URL (baseURL, --base-url) and the proxy (https_proxy)")
        }
    }
}
