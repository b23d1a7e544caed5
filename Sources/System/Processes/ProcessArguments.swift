import CArguments

/// The command-line arguments of this process.
public enum ProcessArguments {
    /// All arguments as bytes, which can be invalid UTF-8. The first argument is the name with which the program was
    /// started.
    // Unlike Swift's `CommandLine`, this property does not read `/proc`. It uses `CommandLine` only if the C library
    // does not provide the arguments.
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
