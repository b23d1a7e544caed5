import CArguments

/// The command-line arguments of this process.
public enum ProcessArguments {
    /// All arguments as bytes, which need not be UTF-8. The first one is the name under which the program was started.
    ///
    /// They are read without `/proc`, unlike Swift's `CommandLine`. `CommandLine` is used only if the C library does
    /// not provide the arguments.
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
