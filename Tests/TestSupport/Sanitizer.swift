import System

/// Detects sanitizers, which change the memory use and the speed of a program.
public enum Sanitizer {
    /// Whether the tests run with AddressSanitizer or ThreadSanitizer.
    public static var isActive: Bool {
        dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
    }
}
