import System

/// The files in `Fixtures`.
public enum Fixture {
    /// Returns the path of a fixture.
    ///
    /// - Parameter name: the path below `Fixtures`, such as `rest/character.json`.
    public static func path(_ name: String) -> String {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return root.joined(separator: "/") + "/Fixtures/" + name
    }

    /// Reads a fixture.
    ///
    /// - Throws: `FileError` with the path if the file cannot be read.
    public static func read(_ name: String) throws(FileError) -> [UInt8] { try Files.read(FilePath(path(name))) }
}
