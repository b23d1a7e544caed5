/// The limit on the number of open file descriptors.
public enum Descriptors {
    /// The number of file descriptors that one operation may need, for example to open a file and its log.
    private static let minFree = 4
    /// The number of descriptors that the process needs for connections to APIs and for files.
    private static let wantedLimit: rlim_t = 1024

    /// Raises the soft limit of descriptors to 1024. If the hard limit is lower, raises the soft limit to the hard
    /// limit.
    public static func raiseLimit() {
        var limit = self.limit
        guard limit.rlim_cur < min(wantedLimit, limit.rlim_max) else { return }
        limit.rlim_cur = min(wantedLimit, limit.rlim_max)
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            setrlimit(RLIMIT_NOFILE, &limit)
        #endif
    }

    /// The error message about too few free descriptors; nil if there are enough. libcurl and SQLite do not report this
    /// shortage, so read this property after they have failed.
    package static var shortage: String? {
        var spare: [Int32] = []
        while spare.count < minFree, case let descriptor = fcntl(0, F_DUPFD_CLOEXEC, 3), descriptor >= 0 {
            spare.append(descriptor)
        }
        let isShort = spare.count < minFree && (errno == EMFILE || errno == EINVAL)
        for descriptor in spare { close(descriptor) }
        guard isShort else { return nil }
        return "too few free file descriptors: \(spare.count) of \(limit.rlim_cur); raise the limit (ulimit -n)"
    }

    private static var limit: rlimit {
        var limit = rlimit()
        #if canImport(Glibc)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        return limit
    }
}
