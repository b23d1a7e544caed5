import System
import Testing

extension Trait where Self == TimeLimitTrait {
    /// The time limit of every suite, which makes a hanging test fail. It is much longer than any test takes on a busy
    /// machine. `LARDER_TEST_MINUTES` overrides it.
    public static var limited: Self { .timeLimit(.minutes(minutes)) }

    private static var minutes: Int {
        getenv("LARDER_TEST_MINUTES").flatMap { Int(String(cString: $0)) } ?? (Sanitizer.isActive ? 20 : 5)
    }
}
