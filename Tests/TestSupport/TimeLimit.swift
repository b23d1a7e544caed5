import System
import Testing

extension Trait where Self == TimeLimitTrait {
    /// What every suite has: a test that hangs fails by then. It is far more than any test takes on a machine that has
    /// other work too, so that nothing is asserted about time. `LARDER_TEST_MINUTES` sets another.
    public static var limited: Self { .timeLimit(.minutes(minutes)) }

    private static var minutes: Int {
        getenv("LARDER_TEST_MINUTES").flatMap { Int(String(cString: $0)) } ?? (Sanitizer.isActive ? 20 : 5)
    }
}
