import System

/// The files in `Fixtures`.
public enum Fixture {
    /// Where a fixture is: `rest/character.json` below `Fixtures`, which is found from this file's place.
    public static func path(_ name: String) -> String {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return root.joined(separator: "/") + "/Fixtures/" + name
    }

    /// A fixture's bytes.
    ///
    /// - Throws: `FileError`, which names the path, where there is no such file.
    public static func read(_ name: String) throws(FileError) -> [UInt8] { try Files.read(FilePath(path(name))) }
}
