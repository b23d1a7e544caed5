/// The scripts that run in the server, each of which does what must not be torn apart. Their keys are those of one
/// namespace; no random number and no time of a client decides there.
enum SharedScript {
    /// For how many milliseconds marks and the stream of changes are kept after they were used last: longer than any
    /// value, which carries them.
    static let markLife = 9 * 86_400_000
    /// About how many changes are kept.
    static let changesKept = 10_000

    /// A key of another type than it should have counts as missing, and is replaced. Whatever else is refused ends the
    /// script: what it cannot read it must not take for nothing.
    private static let reading = """
        local function get(key)
            local value = redis.pcall('GET', key)
            if type(value) ~= 'table' then return value end
            if string.find(value.err or '', 'WRONGTYPE', 1, true) then return false end
            error(value)
        end

        """

    /// Whether a fault says that the user lacks a right. Redis 7.0 has no code of its own for it in scripts.
    private static let judging = """
        local function is_forbidden(fault)
            return string.find(fault, 'NOPERM', 1, true) or string.find(fault, 'The user executing the script', 1, true)
        end

        """

    /// What scripts that know marks have in common.
    private static let common =
        reading + judging + """
            local function tell(stream, event, tag)
                local id = redis.pcall('XADD', stream, 'MAXLEN', '~', \(changesKept), '*', 'e', event, 't', tag)
                if type(id) == 'table' then
                    -- A full server says so before a script has written, and who may not append may not begin
                    -- anew. Whatever else keeps the stream from growing, it is begun anew, so that nobody takes it
                    -- for whole.
                    if string.find(id.err or '', 'OOM', 1, true) or is_forbidden(id.err or '') then error(id) end
                    redis.call('DEL', stream)
                    redis.call('XADD', stream, '*', 'e', event, 't', tag)
                end
                redis.call('PEXPIRE', stream, \(markLife))
            end
            local function marks_of(key)
                local marks = get(key)
                local mark = string.rep('[0-9a-f]', 16)
                return marks and string.match(marks, '^' .. mark .. ' ' .. mark .. ' ' .. mark .. '$')
            end
            local function mark(key, marks) redis.call('SET', key, marks, 'PX', \(markLife)) end
            local function renew_last(key, new)
                local marks = marks_of(key)
                local kept = new[1] .. ' ' .. new[2]
                if marks then kept = string.sub(marks, 1, 33) end
                mark(key, kept .. ' ' .. new[3])
            end

            """

    /// The marks of a resource, made where there are none.
    ///
    /// Keys: marks. Arguments: new marks. Gives the marks.
    static let readMarks =
        common + """
            local marks = marks_of(KEYS[1]) or ARGV[1]
            mark(KEYS[1], marks)
            return marks
            """

    /// Renews the marks of a resource, and tells it.
    ///
    /// Keys: marks, changes. Arguments: `removed` or `stale`, three new marks, event, tag. Gives 1.
    static let renewMarks =
        common + """
            local marks = marks_of(KEYS[1])
            local removed = ARGV[2]
            if ARGV[1] == 'stale' and marks then removed = string.sub(marks, 1, 16) end
            mark(KEYS[1], removed .. ' ' .. ARGV[3] .. ' ' .. ARGV[4])
            tell(KEYS[2], ARGV[5], ARGV[6])
            return 1
            """

    /// Removes an entry with its lease, and has nothing stored that was asked for before.
    ///
    /// Keys: marks, changes, the entry, its lease. Arguments: three new marks, event, tag, and `1` where the others
    /// need to hear of it only if the entry is there. Gives 1 if it was, else 0.
    static let removeEntry =
        common + """
            local count = redis.call('DEL', KEYS[3])
            if count == 0 and ARGV[6] == '1' then return 0 end
            redis.call('DEL', KEYS[4])
            renew_last(KEYS[1], ARGV)
            tell(KEYS[2], ARGV[4], ARGV[5])
            return count
            """

    /// Marks an entry stale, which stays. Where that is what somebody wants, and not only what is known, its lease ends
    /// and nothing is stored that was asked for before.
    ///
    /// Keys: marks, changes, the entry, its lease. Arguments: three new marks, event, tag, and `1` where it is wanted.
    /// Gives 1 if it was there, else 0.
    static let markStale =
        common + """
            if ARGV[6] == '1' then
                -- First, since a full server lets a script go on that has removed something.
                redis.call('DEL', KEYS[4])
                renew_last(KEYS[1], ARGV)
            end
            local value = get(KEYS[3])
            if value and string.sub(value, 1, 1) == '{' then
                redis.call('SET', KEYS[3], '\(SharedValue.staleMark)' .. value, 'KEEPTTL')
            end
            tell(KEYS[2], ARGV[4], ARGV[5])
            return value and 1 or 0
            """

    /// Stores values, unless the marks are others than when the remote was asked. A value that was fetched later stays,
    /// but for one that says it is of the future.
    ///
    /// Keys: marks, changes, then those of the values. Arguments: the marks, event, tag, then for each value itself,
    /// its life in milliseconds and when it was fetched. Gives -1 where nothing is stored, else how many values were.
    static let store =
        common + """
            if get(KEYS[1]) ~= ARGV[1] then return -1 end
            local function payload(value) return string.sub(value, (string.find(value, '\\n', 1, true) or 0) + 1) end
            local fetched_at = '^{"version":\(SharedValue.version),"fetchedAt":(%d+),'
            local now = redis.call('TIME')
            local latest = tonumber(now[1]) * 1000 + \(SharedValue.mostAhead)
            local count = 0
            local isChanged = false
            for n = 3, #KEYS do
                local first = 4 + (n - 3) * 3
                local old = get(KEYS[n])
                local fetched = old and tonumber(string.match(old, fetched_at) or '')
                if not (fetched and fetched > tonumber(ARGV[first + 2]) and fetched <= latest) then
                    redis.call('SET', KEYS[n], ARGV[first], 'PX', ARGV[first + 1])
                    count = count + 1
                    if not old or payload(old) ~= payload(ARGV[first]) then isChanged = true end
                end
            end
            if isChanged then tell(KEYS[2], ARGV[2], ARGV[3]) end
            return count
            """

    /// The commands that scripts call: a user needs the right to each.
    static let commands = ["get", "set", "del", "xadd", "pexpire", "pttl", "time"]

    /// Tries which of `commands` the user may not do, on a key under which nothing is: nothing is written.
    ///
    /// Keys: the key. Gives their names.
    static let tryRights =
        judging + """
            local missing = {}
            local function try(name, ...)
                local reply = redis.pcall(name, ...)
                if type(reply) == 'table' and is_forbidden(reply.err or '') then missing[#missing + 1] = name end
            end
            try('get', KEYS[1])
            try('set', KEYS[1], '', 'XX')
            try('del', KEYS[1])
            try('xadd', KEYS[1], 'NOMKSTREAM', '*', 'e', '')
            try('pexpire', KEYS[1], 1)
            try('pttl', KEYS[1])
            try('time')
            return missing
            """

    /// Begins the stream of changes, where there is none, so that there is a place from which to read on.
    ///
    /// Keys: changes. Arguments: event, tag. Gives 1.
    static let beginChanges =
        common + """
            tell(KEYS[1], ARGV[1], ARGV[2])
            return 1
            """

    /// Takes a lease, unless somebody has it. What would last longer than a lease, or is of another type, is none.
    ///
    /// Keys: the lease. Arguments: its token, milliseconds. Gives 1 or 0.
    static let takeLease =
        reading + """
            if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
            local left = redis.call('PTTL', KEYS[1])
            if get(KEYS[1]) and left >= 0 and left <= tonumber(ARGV[2]) then return 0 end
            redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
            return 1
            """

    /// Keeps a lease for longer, if it is still the caller's.
    ///
    /// Keys: the lease. Arguments: its token, milliseconds. Gives 1 or 0.
    static let renewLease =
        reading + """
            if get(KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
            return 0
            """

    /// Ends a lease, if it is still the caller's.
    ///
    /// Keys: the lease. Arguments: its token. Gives 1 or 0.
    static let endLease =
        reading + """
            if get(KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
            return 0
            """

    /// Takes a place in a rate limit that all keep to together (the generic cell rate algorithm): so many at once, and
    /// from then on one each interval.
    ///
    /// Keys: the bucket. Arguments: the interval in microseconds, how many at once, the longest wait of the caller and
    /// that of any caller, in microseconds. Gives in how many microseconds the caller's turn is; one that is longer
    /// than asked for is not taken, and given with a minus. Nobody has taken a place later than anybody waits: what
    /// says so is no bucket, and begun anew.
    static let takePlace =
        reading + """
            local now = redis.call('TIME')
            now = tonumber(now[1]) * 1000000 + tonumber(now[2])
            local interval, burst, longest = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
            local full = tonumber(get(KEYS[1]) or '') or 0
            if full ~= full or full < now then full = now end
            if full > now + interval * (burst + 1) + tonumber(ARGV[4]) then full = now end
            local wait = full - interval * (burst - 1) - now
            if wait < 0 then wait = 0 end
            if wait > longest then return -wait end
            full = full + interval
            redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000) + 1000)
            return wait
            """
}
