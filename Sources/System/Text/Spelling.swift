/// Finds what somebody meant who misspelt it.
public enum Spelling {
    /// The known name nearest to a word, if it is near enough to be meant.
    public static func nearest(to word: String, in known: [String]) -> String? {
        let limit = max(1, word.count / 3)
        let word = Array(word.lowercased().utf8)
        var best: (name: String, distance: Int)?
        for name in known {
            let letters = Array(name.lowercased().utf8)
            // A word that is so much longer or shorter is not near, and most are.
            guard abs(letters.count - word.count) <= limit else { continue }
            let distance = distance(word, letters)
            if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// How many insertions, deletions, replacements and swaps of neighbours lead from one word to the other (the
    /// restricted distance of Damerau and Levenshtein).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
