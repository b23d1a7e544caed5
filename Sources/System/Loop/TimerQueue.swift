/// A queue of sleepers, ordered by the time at which each must be woken.
package struct TimerQueue<Sleeper> {
    package struct Alarm {
        /// The time of waking, in milliseconds of the monotonic clock.
        let time: Int
        let id: Int
        let sleeper: Sleeper
    }

    /// The alarms, with the earliest one last.
    private var alarms: [Alarm] = []

    /// The time of the earliest alarm; nil if there is none.
    package var first: Int? { alarms.last?.time }

    /// Adds an alarm. Returns whether it is now the earliest.
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

    /// Removes and returns an alarm whose time has come; nil if there is none.
    package mutating func takeDue(at now: Int) -> Alarm? {
        guard let last = alarms.last, last.time <= now else { return nil }
        return alarms.popLast()
    }
}
