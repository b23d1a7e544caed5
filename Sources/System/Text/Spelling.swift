/// Suggests corrections for misspelt names.
public enum Spelling {
    /// Returns the known name that is most similar to a word. Nil if no name is similar enough, and for a word with one
    /// letter.
    public static func nearest(to word: String, in known: [String]) -> String? {
        if word.count < 2 { return nil }
        let limit = max(1, word.count / 3)
        let word = Array(word.lowercased().utf8)
        var best: (name: String, distance: Int)?
        for name in known {
            let letters = Array(name.lowercased().utf8)
            // Most names differ too much in length to be similar.
            guard abs(letters.count - word.count) <= limit else { continue }
            let distance = distance(word, letters)
            if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// Returns the edit distance of two words: the number of insertions, deletions, replacements and swaps of adjacent
    /// characters that change one word to the other.
    // This is the restricted Damerau-Levenshtein distance.
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
