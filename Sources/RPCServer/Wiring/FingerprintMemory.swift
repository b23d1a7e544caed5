import Catalog
import DataSources
import Model

/// Under which keys the resources of a catalog are kept, also where a secret or a variable is missing that a key is
/// made of: then it is the one that the declaration had last.
struct FingerprintMemory {
    private let place: Places.Place?
    private let key: FingerprintKey

    init(_ process: Process) {
        place = Places(process.options, process.environment).cache
        key = process.key
    }

    /// The keys of those resources that a missing secret or variable may concern, by name.
    func keys(of catalog: Catalog) -> [String: ResourceKey] {
        var keys: [String: ResourceKey] = [:]
        var latest: [(declaration: ResourceKey.Fingerprint, fingerprint: ResourceKey.Fingerprint)] = []
        for resource in catalog.resources {
            guard let place, let api = catalog.api(of: resource) else { continue }
            // What has no `${...}` in it has the same key in every run.
            let declared = api.declaration + resource.declaration
            let isExpanded = zip(declared, declared.dropFirst()).contains {
                $0 == UInt8(ascii: "$") && $1 == UInt8(ascii: "{")
            }
            guard isExpanded || !api.absences.isEmpty else { continue }
            let declaration = ResourceKey.declarationFingerprint(resource, of: api, key: key)
            let current = ResourceKey(resource, of: api, key: key)
            if api.absences.isEmpty {
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
