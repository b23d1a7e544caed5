import System
import TestSupport
import Testing

@testable import DataSources

/// What later processes are told of removals.
@Suite(.limited) struct RemovalNotesTests {
    private static let marks = SharedMachine.marks
    private static let stream = SharedMachine.names.changes

    private let index = SharedIndexDouble()

    private func notes(of writer: String) -> RemovalNotes { RemovalNotes(index, stream: Self.stream, writer: writer) }

    private static func removal(_ id: String, _ kind: Removal.Kind = .removed) -> Removal {
        Removal(name: SharedMachine.name(id), marks: marks, kind: kind)
    }

    private static func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test func theyComeBack() async {
        let first = notes(of: "first")
        let all = [
            Self.removal("1"), Self.removal("1", .stale), Self.removal("2", .gone),
            Removal(name: Self.marks, marks: Self.marks, kind: .stale),
        ]
        first.keep(all, at: Self.at(1000))
        let found = await notes(of: "second").adopt(since: Self.at(999))
        #expect(Set(found.map(\.removal)) == Set(all) && found.allSatisfy { $0.moment == Self.at(1000) })
        #expect(await first.adopt(since: Self.at(0)).isEmpty, "those are its own")
    }

    /// No value is so old that it could be meant.
    @Test func whatIsTooOldIsForgotten() async {
        notes(of: "first").keep([Self.removal("1")], at: Self.at(1000))
        #expect(await notes(of: "second").adopt(since: Self.at(1000)).isEmpty)
        #expect(index.removals == nil)
    }

    @Test func theyAreAdoptedOnce() async {
        let (first, second) = (notes(of: "first"), notes(of: "second"))
        first.keep([Self.removal("1")], at: Self.at(1000))
        #expect(await second.adopt(since: Self.at(0)).count == 1)
        #expect(await second.adopt(since: Self.at(0)).isEmpty)
        first.keep([Self.removal("1")], at: Self.at(2000))
        #expect(await second.adopt(since: Self.at(0)).map(\.moment) == [Self.at(2000)], "it was noted anew")
    }

    /// The file may have one for some time that it is to forget, as where somebody keeps it locked.
    @Test func whatIsDoneIsNotAdoptedAgain() async throws {
        let (first, second) = (notes(of: "first"), notes(of: "second"))
        first.keep([Self.removal("1")], at: Self.at(1000))
        let (name, text) = try #require(await index.notes(beginning: "removals").first)
        _ = await second.adopt(since: Self.at(0))
        second.forget([Self.removal("1")])
        index.keep(note: name, text)
        #expect(await second.adopt(since: Self.at(0)).isEmpty)
        index.keep(note: name, nil)
        #expect(await second.adopt(since: Self.at(0)).isEmpty)
        index.keep(note: name, text)
        #expect(await second.adopt(since: Self.at(0)).count == 1, "it was noted anew")
    }

    @Test func theyAreForgottenWithThoseOfOthers() async {
        let (first, second) = (notes(of: "first"), notes(of: "second"))
        first.keep([Self.removal("1"), Self.removal("2")], at: Self.at(1000))
        _ = await second.adopt(since: Self.at(0))
        second.keep([Self.removal("1")], at: Self.at(2000))
        second.forget([Self.removal("1")])
        #expect(await notes(of: "third").adopt(since: Self.at(0)).map(\.removal) == [Self.removal("2")])
    }

    /// Most removals are taken at once, and cost no write of the file.
    @Test func whatWasNotKeptIsNotForgotten() async {
        let notes = notes(of: "first")
        index.keep(note: "removals \(Self.stream) first removed \(Self.removal("1").name.key)", "stays")
        notes.forget([Self.removal("1")])
        #expect(index.removals == "stays")
    }

    private static let texts = [
        "", "[", "{}", #"{"key":"a","marks":"b","kind":"removed","at":5000}"#,
        #"{"key":"\#(marks.key)","marks":"\#(marks.key)","kind":"other","at":5000}"#,
        #"{"key":"\#(marks.key)","marks":"\#(marks.key)","kind":"removed","at":1e9}"#,
        #"{"key":"\#(marks.key.dropLast())x","marks":"\#(marks.key)","kind":"removed","at":5000}"#,
        #"{"key":"\#(marks.key.uppercased())","marks":"\#(marks.key)","kind":"removed","at":5000}"#,
    ]

    @Test(arguments: texts) func anotherTextSaysNothing(text: String) async {
        index.keep(note: "removals \(Self.stream) first x", text)
        #expect(await notes(of: "second").adopt(since: Self.at(0)).isEmpty)
        #expect(index.removals == nil)
    }
}
