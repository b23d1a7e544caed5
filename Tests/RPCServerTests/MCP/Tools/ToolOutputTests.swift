import JSON
import System
import TestSupport
import Testing

@testable import RPCServer

/// Tests which items fit into one tool answer, and the members of the answer around the items.
@Suite(.limited) struct ToolOutputTests {
    @Test(
        arguments: [
            (5, 0, Int.max, 29_999, 0..<2), (5, 0, .max, 30_000, 0..<1), (5, 0, .max, 60_000, 0..<1),
            (5, 3, .max, 29_999, 3..<5), (5, 2, .max, 29_999, 2..<4), (5, 5, .max, 1, 5..<5), (5, 9, .max, 1, 5..<5),
            (5, 0, 3, 1, 0..<3), (5, 0, 5, 1, 0..<5), (5, 0, 6, 1, 0..<5), (5, 4, 3, 1, 4..<5), (0, 0, .max, 1, 0..<0),
            (5, 0, 0, 1, 0..<0),
        ])
    func answerHasItemsUpToTheCountAndSizeLimits(count: Int, offset: Int, limit: Int, size: Int, shown: Range<Int>) {
        #expect(ToolOutput.shown(of: count, from: offset, atMost: limit) { _ in size } == shown)
    }

    /// Returns the JSON object whose members `body` writes.
    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        body(&writer)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func numberOfWrittenItemsIsReturned() {
        let items = [Array("{}".utf8), Array("[\(String(repeating: "1,", count: 29_999))1]".utf8), Array("1".utf8)]
        for (given, shown) in [(items, "{}"), ([items[0], items[2]], "{},1"), ([], "")] {
            var count = 0
            let text = text { count = ToolOutput.write(given, to: &$0) }
            #expect(text == #"{"items":[\#(shown)]}"#)
            #expect(count == shown.split(separator: ",").count)
        }
    }

    @Test(arguments: [(0, 0), (999, 0), (1000, 1), (61_999, 61), (-5000, 0)])
    func ageIsInWholeSeconds(milliseconds: Int64, age: Int) {
        let clock = ClockMock()
        let oldest = clock.now()
        clock.advance(milliseconds: milliseconds)
        let output = ToolOutput(clock: clock)
        #expect(text { output.writeAge(since: oldest, to: &$0) } == #"{"age":\#(age)}"#)
        #expect(text { output.writeAge(since: nil, to: &$0) } == "{}")
    }

    @Test func linkToAnItemHasTheUserAsAudience() {
        let time = Timestamp(milliseconds: 1_769_850_300_250)
        for (fetchedAt, more) in [(time, #","lastModified":"2026-01-31T09:05:00.250Z""#), (nil, "")] {
            var writer = JSONWriter()
            ItemLink(uri: "larder://book/1", name: "book 1", fetchedAt: fetchedAt).write(to: &writer)
            #expect(
                String(decoding: writer.bytes, as: UTF8.self) == #"{"type":"resource_link","uri":"larder://book/1","#
                    + #""name":"book 1","mimeType":"application/json","annotations":{"audience":["user"]\#(more)}}"#)
        }
    }
}
