/// A queue of sleeping tasks, ordered by the times at which the loop must wake them.
package struct TimerQueue<Sleeper> {
    package struct Alarm {
        /// The time at which the task must be woken, in milliseconds of the monotonic clock.
        let time: Int
        let id: Int
        let sleeper: Sleeper
    }

    /// The alarms of the sleeping tasks, sorted by time. The earliest alarm is last.
    private var alarms: [Alarm] = []

    /// The time of the earliest alarm; nil if there is none.
    package var first: Int? { alarms.last?.time }

    /// Adds an alarm. Returns whether the new alarm is the earliest.
    package mutating func add(_ alarm: Alarm) -> Bool {
        var (low, high) = (0, alarms.count)
        while low < high {
            let middle = (low + high) / 2
            if alarms[middle].time > alarm.time { low = middle + 1 } else { high = middle }
        }
        alarms.insert(alarm, at: low)
        return low == alarms.count - 1
    }

    /// Removes and returns an alarm; nil if it was already removed.
    package mutating func remove(_ id: Int) -> Alarm? {
        alarms.lastIndex { $0.id == id }.map { alarms.remove(at: $0) }
    }

    /// Removes and returns an alarm that is due; nil if no alarm is due.
    package mutating func takeDue(at now: Int) -> Alarm? {
        guard let last = alarms.last, last.time <= now else { return nil }
        return alarms.popLast()
    }
}
