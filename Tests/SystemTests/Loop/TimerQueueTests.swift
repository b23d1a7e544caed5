import TestSupport
import Testing

@testable import System

@Suite(.limited) struct TimerQueueTests {
    private static func alarms(_ times: [Int]) -> TimerQueue<String> {
        var alarms = TimerQueue<String>()
        for (id, time) in times.enumerated() { _ = alarms.add(.init(time: time, id: id, sleeper: "\(id)")) }
        return alarms
    }

    @Test func alarmsAreTakenInOrderOfTime() {
        var alarms = Self.alarms([30, 10, 20, 0, 10])
        #expect(alarms.first == 0)
        var order: [Int] = []
        while let due = alarms.takeDue(at: 100) { order.append(due.time) }
        #expect(order == [0, 10, 10, 20, 30])
        #expect(alarms.first == nil)
    }

    @Test func alarmIsNotTakenBeforeItsTime() {
        var alarms = Self.alarms([30, 10])
        let due = [9, 10, 29].map { alarms.takeDue(at: $0)?.sleeper }
        #expect(due == [nil, "1", nil])
        #expect(alarms.first == 30)
    }

    @Test func addedAlarmIsReportedIfItIsTheEarliest() {
        var alarms = Self.alarms([30])
        let isFirst = [20, 25].map { alarms.add(.init(time: $0, id: $0, sleeper: "")) }
        #expect(isFirst == [true, false])
    }

    @Test func alarmCanBeRemovedOnce() {
        var alarms = Self.alarms([30, 10, 20])
        let removed = [1, 1].map { alarms.remove($0)?.sleeper }
        #expect(removed == ["1", nil])
        #expect(alarms.first == 20)
    }
}
