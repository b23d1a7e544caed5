import Testing

@testable import DataSources

@Suite(.timeLimit(.minutes(1))) struct AlarmsTests {
    private static func alarms(_ times: [Int]) -> Alarms<String> {
        var alarms = Alarms<String>()
        for (id, time) in times.enumerated() { _ = alarms.add(.init(time: time, id: id, sleeper: "\(id)")) }
        return alarms
    }

    @Test func theyGoOffInTheOrderOfTheirTimes() {
        var alarms = Self.alarms([30, 10, 20, 0, 10])
        #expect(alarms.first == 0)
        var order: [Int] = []
        while let due = alarms.takeDue(at: 100) { order.append(due.time) }
        #expect(order == [0, 10, 10, 20, 30])
        #expect(alarms.first == nil)
    }

    @Test func whatIsNotDueStays() {
        var alarms = Self.alarms([30, 10])
        #expect(alarms.takeDue(at: 9) == nil)
        #expect(alarms.takeDue(at: 10)?.sleeper == "1")
        #expect(alarms.takeDue(at: 29) == nil)
        #expect(alarms.first == 30)
    }

    @Test func whoeverIsDueFirstIsToldOf() {
        var alarms = Self.alarms([30])
        #expect(alarms.add(.init(time: 20, id: 7, sleeper: "")))
        #expect(!alarms.add(.init(time: 25, id: 8, sleeper: "")))
    }

    @Test func oneCanBeTakenOut() {
        var alarms = Self.alarms([30, 10, 20])
        #expect(alarms.remove(1)?.sleeper == "1")
        #expect(alarms.remove(1) == nil)
        #expect(alarms.first == 20)
    }
}

extension Alarms.Alarm: Equatable where Sleeper: Equatable {
    public static func == (left: Self, right: Self) -> Bool { left.id == right.id && left.sleeper == right.sleeper }
}
