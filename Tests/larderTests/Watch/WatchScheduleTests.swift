import System
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct WatchScheduleTests {
    @Test(
        arguments: [
            (Milliseconds?.none, Milliseconds?.none, false, Milliseconds?.none), (nil, 60_000, false, 60_000),
            (nil, 1000, false, 5000), (nil, 0, false, 5000), (1000, 60_000, false, 1000), (1000, nil, false, 1000),
            (1000, 60_000, true, nil),
        ])
    func watchIntervalComesFromTheOptionOrTheCatalog(
        given: Milliseconds?, freshFor: Milliseconds?, isOffline: Bool, interval: Milliseconds?
    ) {
        #expect(WatchSchedule(given: given, freshFor: freshFor, isOffline: isOffline).interval == interval)
    }

    @Test(
        arguments: [
            (Int64?(0), true, Milliseconds(10_000)), (4000, true, 6000), (10_000, true, 0), (99_000, true, 0),
            (-5000, true, 10_000), (nil, true, 10_000), (4000, false, 10_000), (99_000, false, 10_000),
        ])
    func firstWatchRequestIsSentSoonerIfTheDataIsOld(age: Int64?, isFirst: Bool, wait: Milliseconds) {
        let schedule = WatchSchedule(given: 10_000, freshFor: nil, isOffline: false)
        let now = Timestamp(milliseconds: 1_000_000)
        let fetchedAt = age.map { Timestamp(milliseconds: 1_000_000 - $0) }
        #expect(schedule.wait(from: fetchedAt, now: now, isFirst: isFirst) == wait)
        let offline = WatchSchedule(given: 10_000, freshFor: nil, isOffline: true)
        #expect(offline.wait(from: fetchedAt, now: now, isFirst: isFirst) == nil)
    }

    @Test(
        arguments: [
            (1500, "1500 ms"), (90_000, "90s"), (120_000, "2m"), (7_200_000, "2h"), (5_400_000, "90m"),
            (172_800_000, "2d"),
        ])
    func noteOfTheWatchCommandContainsTheInterval(interval: Milliseconds, text: String) {
        let note = WatchSchedule(given: interval, freshFor: nil, isOffline: false).note
        #expect(note == "watching, with a new request every \(text); press Ctrl-C to stop")
    }

    @Test func noteStatesThatTheWatchCommandSendsNoRequests() {
        let none = WatchSchedule(given: nil, freshFor: nil, isOffline: false)
        #expect(
            none.note
                == "watching only the cache, without requests: the catalog has no 'freshFor'; to send requests, use"
                + " --interval, as in --interval 30s; press Ctrl-C to stop")
        let offline = WatchSchedule(given: nil, freshFor: nil, isOffline: true)
        #expect(offline.note == "watching only the cache, without requests; press Ctrl-C to stop")
        let fresh = WatchSchedule(given: nil, freshFor: 1000, isOffline: false)
        #expect([none, offline, fresh].map(\.lacksRequests) == [true, false, false])
    }
}
