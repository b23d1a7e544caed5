/// A queue of sleeping tasks, ordered by the times at which the loop must wake them.
package struct TimerQueue<Sleeper> {
    package struct Alarm {
        /// The time at which the task must be woken, in milliseconds of the monotonic clock.
        let time: Int
        let id: Int
        let sleeper: Sleeper
    }

    /// The sleeping tasks with their wake times (alarms), sorted by wake time. The earliest alarm is last.
    private var alarms: [Alarm] = []

    /// The earliest time at which a task must be woken, in milliseconds of the monotonic clock; nil if no task is
    /// sleeping.
    package var first: Int? { alarms.last?.time }

    /// Adds a sleeping task. Returns whether this task is now the first to wake.
    package mutating func add(_ alarm: Alarm) -> Bool {
        var (low, high) = (0, alarms.count)
        while low < high {
            let middle = (low + high) / 2
            if alarms[middle].time > alarm.time { low = middle + 1 } else { high = middle }
        }
        alarms.insert(alarm, at: low)
        return low == alarms.count - 1
    }

    /// Removes the sleeping task with the given id, and returns its alarm. Returns nil if the task was already removed.
    package mutating func remove(_ id: Int) -> Alarm? {
        alarms.lastIndex { $0.id == id }.map { alarms.remove(at: $0) }
    }

    /// Removes a sleeping task whose wake time has come, and returns its alarm. Returns nil if there is none.
    package mutating func takeDue(at now: Int) -> Alarm? {
        guard let last = alarms.last, last.time <= now else { return nil }
        return alarms.popLast()
    }
}
