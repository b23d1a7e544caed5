import HTTP
import JSON
import Model

/// Reads response bodies in which each line is a JSON value (NDJSON).
enum JSONLines {
    /// Converts the lines of a response body to one JSON array. Skips blank lines.
    ///
    /// - Throws: `APIError.decodingFailed` with the number of the first line that is not valid JSON.
    static func array(of response: HTTPResponse) throws(APIError) -> JSONPart {
        let newline = UInt8(ascii: "\n")
        var text: [UInt8] = [UInt8(ascii: "[")]
        text.reserveCapacity(response.body.count + 2)
        for (index, line) in response.body.split(separator: newline, omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            // Each line is checked separately, because two invalid lines could form valid JSON together.
            do throws(JSONFault) {
                _ = try JSONDocument(Array(line))
            } catch {
                let reason = error.description(in: Array(line))
                throw APIError(
                    .decodingFailed,
                    "line \(index + 1) of the API's answer is not JSON: \(reason); check \"as\" in the catalog, or"
                        + " report this to the API's provider", path: "[\(index)]")
            }
            text += line
        }
        text.append(UInt8(ascii: "]"))
        do throws(JSONFault) {
            return try JSONDocument(skippingBOM: text, with: response.lease).root
        } catch {
            throw APIError(.decodingFailed, "the API's answer is not JSON: \(error.description(in: text))", path: "")
        }
    }
}
