/// Finds what somebody meant who misspelt it.
public enum Spelling {
    /// The known name nearest to a word, if it is near enough to be meant.
    public static func nearest(to word: String, in known: [String]) -> String? {
        let ranked = known.map { (name: $0, distance: distance(word.lowercased(), $0.lowercased())) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, word.count / 3) ? best.name : nil
    }

    /// How many insertions, deletions and replacements lead from one word to the other (Levenshtein).
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (index, letter) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
