/// The file descriptors that the process may have.
public enum Descriptors {
    /// As many as one step of the work may need: a file with its log, a connection with its certificates.
    private static let few = 4
    /// As many as there should be: connections to APIs, and files.
    private static let many: rlim_t = 1024

    /// Raises the limit where it is lower than it should be, as far as that is allowed.
    public static func raiseLimit() {
        var limit = self.limit
        guard limit.rlim_cur < min(many, limit.rlim_max) else { return }
        limit.rlim_cur = min(many, limit.rlim_max)
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            setrlimit(RLIMIT_NOFILE, &limit)
        #endif
    }

    /// Says that hardly a descriptor is left; nil where that is not so. To be asked when something has failed, since
    /// neither libcurl nor SQLite tells such a failure from others.
    package static var shortage: String? {
        var spare: [Int32] = []
        while spare.count < few, case let descriptor = fcntl(0, F_DUPFD_CLOEXEC, 3), descriptor >= 0 {
            spare.append(descriptor)
        }
        let isShort = spare.count < few && (errno == EMFILE || errno == EINVAL)
        for descriptor in spare { close(descriptor) }
        guard isShort else { return nil }
        return "too few file descriptors are left: \(spare.count) of \(limit.rlim_cur) (ulimit -n)"
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
