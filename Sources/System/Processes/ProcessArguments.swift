import CArguments

/// The arguments with which this process was started.
public enum ProcessArguments {
    /// All arguments as bytes, which need not be UTF-8. The first one is the name by which the program was called.
    ///
    /// They do not depend on `/proc`, unlike those of Swift's `CommandLine`, which are used only if the C library does
    /// not pass the arguments on.
    public static var all: [[UInt8]] {
        let count = Int(larder_argument_count())
        guard count > 0, let texts = larder_arguments() else {
            return bytes(count: Int(CommandLine.argc), CommandLine.unsafeArgv)
        }
        return bytes(count: count, texts)
    }

    private static func bytes(
        count: Int, _ texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> [[UInt8]] {
        (0..<count).compactMap { index in
            texts[index].map { text in Array(UnsafeRawBufferPointer(start: text, count: strlen(text))) }
        }
    }
}
