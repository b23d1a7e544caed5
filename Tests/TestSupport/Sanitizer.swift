import System

/// Whether the tests run under a sanitizer, whose memory is not what a program takes without it.
public enum Sanitizer {
    /// Whether AddressSanitizer or ThreadSanitizer is there.
    public static var isActive: Bool {
        dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
    }
}
