import Protocol
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct ObserversTests {
    private let observers = Observers()
    private let stopped = Counter()

    private func begin(_ reservation: Observers.Reservation) {
        let stopped = stopped
        observers.begin(reservation) { stopped.add() }
    }

    @Test func missingObserverNameIsGenerated() throws {
        #expect(try observers.reserve("observer-2").name == "observer-2")
        #expect(try observers.reserve(nil).name == "observer-1")
        #expect(try observers.reserve(nil).name == "observer-3")
    }

    @Test func observerNameInUseIsRefusedUntilItIsFree() throws {
        begin(try observers.reserve("a"))
        let taken = "'observer' must be a new name: the session already has an observer 'a'; choose another name"
        #expect(throws: RPCError(.invalidParams, taken)) {
            _ = try observers.reserve("a")
        }
        #expect(observers.end("a") && stopped.value == 1)
        begin(try observers.reserve("a"))
        #expect(observers.end("a") && stopped.value == 2)
    }

    @Test func unknownObserverCannotBeEnded() throws {
        #expect(!observers.end("a"))
        begin(try observers.reserve("a"))
        #expect(observers.end("a"))
        #expect(!observers.end("a") && stopped.value == 1)
    }

    @Test func observerEndedBeforeItsStartIsStoppedWhenItStarts() throws {
        let reservation = try observers.reserve("a")
        #expect(observers.end("a") && stopped.value == 0)
        begin(reservation)
        #expect(stopped.value == 1)
    }

    @Test func endedNameReservationDoesNotAffectANewObserver() throws {
        let first = try observers.reserve("a")
        observers.end("a")
        let second = try observers.reserve("a")
        begin(first)
        #expect(stopped.value == 1)
        observers.end(first)
        begin(second)
        #expect(stopped.value == 1)
        #expect(observers.end("a") && stopped.value == 2)
    }

    @Test func everyObserverIsStoppedByEndAll() throws {
        begin(try observers.reserve("a"))
        begin(try observers.reserve("b"))
        let late = try observers.reserve("c")
        observers.endAll()
        #expect(stopped.value == 2)
        begin(late)
        #expect(stopped.value == 3)
        observers.endAll()
        #expect(stopped.value == 3 && !observers.end("a"))
    }

    @Test func numberOfObserversIsLimited() throws {
        for _ in 0..<Observers.limit { _ = try observers.reserve(nil) }
        do {
            _ = try observers.reserve(nil)
            Issue.record("one too many")
        } catch {
            let text = "too many observers: the session already has \(Observers.limit); end one of them first"
            #expect(error.code == .busy && error.message == text)
        }
        #expect(observers.end("observer-7"))
        #expect(try observers.reserve(nil).name == "observer-\(Observers.limit + 1)")
    }
}
