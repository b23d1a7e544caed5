/// Those who sleep, and when each is to be woken.
package struct Alarms<Sleeper> {
    package struct Alarm {
        /// In milliseconds of the monotonic clock.
        let time: Int
        let id: Int
        let sleeper: Sleeper
    }

    /// The one that is due first stands last.
    private var alarms: [Alarm] = []

    /// When the first is due; nil where there is none.
    package var first: Int? { alarms.last?.time }

    /// Returns whether the alarm is the first that is due now.
    package mutating func add(_ alarm: Alarm) -> Bool {
        var (low, high) = (0, alarms.count)
        while low < high {
            let middle = (low + high) / 2
            if alarms[middle].time > alarm.time { low = middle + 1 } else { high = middle }
        }
        alarms.insert(alarm, at: low)
        return low == alarms.count - 1
    }

    /// Takes an alarm out; nil where it has gone off.
    package mutating func remove(_ id: Int) -> Alarm? {
        alarms.lastIndex { $0.id == id }.map { alarms.remove(at: $0) }
    }

    /// Takes one out that is due.
    package mutating func takeDue(at now: Int) -> Alarm? {
        guard let last = alarms.last, last.time <= now else { return nil }
        return alarms.popLast()
    }
}
