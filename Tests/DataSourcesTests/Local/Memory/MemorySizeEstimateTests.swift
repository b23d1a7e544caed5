import DataSources
import Model
import System

#if canImport(Glibc)
    import DataSources
    import Glibc
    import TestSupport
    import Testing

    /// Compares the size that memory reports with the memory that the process uses. Each measurement runs in a process
    /// of its own, in which nothing else allocates.
    @Suite(.limited, .disabled(if: Sanitizer.isActive, "a sanitizer takes memory of its own"))
    struct MemorySizeEstimateTests {
        /// The resident memory of the process, in bytes (`/proc/self/statm`, in pages).
        private static var resident: Int {
            guard let stream = fopen("/proc/self/statm", "r") else { return 0 }
            defer { fclose(stream) }
            var text = [UInt8](repeating: 0, count: 100)
            let count = fread(&text, 1, text.count, stream)
            let words = String(decoding: text[..<count], as: UTF8.self).split(separator: " ")
            return (Int(words[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
        }

        /// Returns the ratio of the reported size to the used memory, for 40,000 items in pages of `perPage` items.
        private static func ratio(ids: String, bytes: Int, perPage: Int, hasValidators: Bool) -> Double {
            let memory = MemoryDataSource(limit: 1 << 30)
            let resource = ResourceKey(name: "character", fingerprint: .init(high: 1, low: 2))
            let before = resident
            for page in 0..<40_000 / perPage {
                let names = (0..<perPage).map { "\(ids)\(page * perPage + $0)" }
                func validators(_ name: String) -> Validators? {
                    hasValidators
                        ? Validators(etag: "\"an entity tag of \(name)\"", lastModified: "Sat, 21 Nov 2026 \(name)")
                        : nil
                }
                memory.save(
                    LocalChange(
                        items: names.map { name in
                            ItemEntity(
                                key: ItemKey(resource: resource, id: name),
                                json: [UInt8](repeating: 0x20, count: bytes), fetchedAt: Timestamp(milliseconds: 0),
                                validators: validators(name))
                        },
                        page: PageEntity(
                            key: PageKey(
                                resource: resource, request: "{\"page\":\(page),\"filter\":{\"name\":\"rick\"}}",
                                list: "{\"name\":\"rick\",\"status\":\"alive\"}"), ids: names,
                            info: [UInt8](repeating: 0x20, count: 80), fetchedAt: Timestamp(milliseconds: 0),
                            count: 40_000, validators: validators("page \(page)"))))
            }
            return Double(memory.statistics().bytes) / Double(resident - before)
        }

        /// A ratio that is too low would let memory grow beyond its limit. A ratio that is somewhat too high only
        /// wastes memory.
        private static func check(_ ratio: Double) { #expect(ratio > 0.9 && ratio < 1.5) }

        @Test func estimatedSizeOfItemsMatchesResidentMemory() async {
            await #expect(processExitsWith: .success) {
                Self.check(Self.ratio(ids: "", bytes: 600, perPage: 20, hasValidators: false))
            }
        }

        @Test func estimatedSizeOfValidatorsMatchesResidentMemory() async {
            await #expect(processExitsWith: .success) {
                Self.check(Self.ratio(ids: "", bytes: 600, perPage: 20, hasValidators: true))
            }
        }

        @Test func estimatedSizeOfLongIDsMatchesResidentMemory() async {
            await #expect(processExitsWith: .success) {
                Self.check(
                    Self.ratio(ids: "an id of more than fifteen bytes ", bytes: 20, perPage: 20, hasValidators: false))
            }
        }

        @Test func estimatedSizeOfPagesMatchesResidentMemory() async {
            await #expect(processExitsWith: .success) {
                Self.check(Self.ratio(ids: "", bytes: 20, perPage: 1, hasValidators: true))
            }
        }
    }
#endif
