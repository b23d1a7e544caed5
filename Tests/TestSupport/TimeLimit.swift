import Testing

extension Trait where Self == TimeLimitTrait {
    /// What every suite has: a test that hangs fails by then. It is far more than any test takes on a machine that has
    /// other work too, so that nothing is asserted about time.
    public static var limited: Self { .timeLimit(.minutes(Sanitizer.isActive ? 20 : 5)) }
}
