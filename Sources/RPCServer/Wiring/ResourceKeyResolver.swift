import Catalog
import DataSources
import Model

/// Finds the cache keys of resources whose secrets or variables are not set in this run. These keys come from the most
/// recent run in which all of these values were set.
struct ResourceKeyResolver {
    private let place: Places.Place?
    private let key: FingerprintKey

    init(_ process: Process) {
        place = Places(process.options, process.environment).cache
        key = process.key
    }

    /// Returns the last known cache keys of the resources whose secrets or variables are not set in this run, by
    /// resource name. Also stores the keys for which all secrets and variables are set, so that later runs can find
    /// them.
    func keys(of catalog: Catalog) -> [String: ResourceKey] {
        var keys: [String: ResourceKey] = [:]
        var latest: [(declaration: ResourceKey.Fingerprint, fingerprint: ResourceKey.Fingerprint)] = []
        for resource in catalog.resources {
            guard let place, let api = catalog.api(of: resource) else { continue }
            // If the declaration contains no `${...}` reference, the resource's key is the same in every run.
            let declared = api.declaration + resource.declaration
            let isExpanded = zip(declared, declared.dropFirst()).contains {
                $0 == UInt8(ascii: "$") && $1 == UInt8(ascii: "{")
            }
            guard isExpanded || !api.missingValues.isEmpty else { continue }
            let declaration = ResourceKey.declarationFingerprint(resource, of: api, key: key)
            let current = ResourceKey(resource, of: api, key: key)
            if api.missingValues.isEmpty {
                latest.append((declaration, current.fingerprint))
            } else if let known = LatestFingerprints.fingerprint(
                of: declaration, besides: place.path, trust: place.trust)
            {
                keys[resource.name] = ResourceKey(name: resource.name, fingerprint: known)
            }
        }
        if let place { LatestFingerprints.remember(latest, besides: place.path, trust: place.trust) }
        return keys
    }
}
