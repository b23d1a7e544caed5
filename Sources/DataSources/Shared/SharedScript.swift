/// The Lua scripts of the shared level. Each script makes one atomic change to keys of one namespace.
// Times come from the server's clock, because the clocks of different machines may differ.
enum SharedScript {
    /// The lifetime of a resource's generations (`SharedGenerations`) in the Redis server, in milliseconds. Each use
    /// starts the lifetime again. The generations must live longer than any value. A value lives at most a week plus 10
    /// percent.
    static let generationLife = 9 * 86_400_000

    /// The Lua function `get(key)`, which returns the string under a key. If the key is missing or holds no string, the
    /// function returns false. Any other error ends the script.
    private static let reading = """
        local function get(key)
            local value = redis.pcall('GET', key)
            if type(value) ~= 'table' then return value end
            if string.find(value.err or '', 'WRONGTYPE', 1, true) then return false end
            error(value)
        end

        """

    /// The Lua function `now()`, which returns the Redis server's time in microseconds since 1970.
    private static let timing = """
        local function now()
            local time = redis.call('TIME')
            return tonumber(time[1]) * 1000000 + tonumber(time[2])
        end

        """

    /// The Lua functions `generations_of(key)` and `keep_generations(key, text)`. They read and store the generations
    /// (`SharedGenerations`) of a resource.
    private static let generations = """
        local function generations_of(key)
            local text = get(key)
            local one = string.rep('[0-9a-f]', 16)
            return text and string.match(text, '^' .. one .. ' ' .. one .. '$')
        end
        local function keep_generations(key, text) redis.call('SET', key, text, 'PX', \(generationLife)) end

        """

    /// A script that returns the generations (`SharedGenerations`) of a resource, and the Redis server's time in
    /// microseconds. If the server has no generations for the resource, the script first stores the given new ones.
    ///
    /// Keys: the generations. Arguments: new generations.
    static let beginFetch =
        reading + timing + generations + """
            local text = generations_of(KEYS[1]) or ARGV[1]
            keep_generations(KEYS[1], text)
            return {text, string.format('%.0f', now())}
            """

    /// A script that removes or invalidates all entries of a resource, by replacing the resource's generations
    /// (`SharedGenerations`). All earlier values then count as missing (`removed`) or as stale (`invalidated`). Returns
    /// 1.
    ///
    /// Keys: the generations. Arguments: `removed` or `invalidated`, new generations.
    static let renewGeneration =
        reading + generations + """
            local old = generations_of(KEYS[1])
            local text = ARGV[2]
            if ARGV[1] == 'invalidated' and old then text = string.sub(old, 1, 17) .. string.sub(text, 18) end
            keep_generations(KEYS[1], text)
            return 1
            """

    /// A script that replaces entries with tombstones (marks of removed entries). Returns the number of entries.
    ///
    /// Keys: the entries. Arguments: the lifetime of a tombstone in milliseconds.
    static let storeTombstones =
        timing + """
            local mark = '\(SharedValue.tombstoneMark)' .. string.format('%.0f', now())
            for n = 1, #KEYS do
                -- A server without free memory refuses to store, unless the script has removed a key first.
                redis.call('DEL', KEYS[n])
                redis.call('SET', KEYS[n], mark, 'PX', ARGV[1])
            end
            return #KEYS
            """

    /// A script that marks entries as stale, and returns their number. For a missing entry, the script stores a
    /// tombstone, the mark of a removed entry. A running fetch then cannot store the entry as fresh.
    ///
    /// Keys: the entries. Arguments: the lifetime of a tombstone in milliseconds.
    static let markStale =
        reading + timing + """
            local moment = string.format('%.0f', now())
            for n = 1, #KEYS do
                local value = get(KEYS[n])
                local json = value and string.match(value, '^[\(SharedValue.staleMark)0-9]*({.*)$')
                if json then
                    redis.call('SET', KEYS[n], '\(SharedValue.staleMark)' .. moment .. json, 'KEEPTTL')
                else
                    redis.call('DEL', KEYS[n])
                    redis.call('SET', KEYS[n], '\(SharedValue.tombstoneMark)' .. moment, 'PX', ARGV[1])
                end
            end
            return #KEYS
            """

    /// A script that stores values, and returns the number of stored values. It skips entries that were removed or
    /// invalidated after the fetch began, and entries with a newer value in the Redis server. If the resource's
    /// generations (`SharedGenerations`) have changed since the fetch began, it stores nothing and returns -1.
    ///
    /// Keys: the generations, the entries. Arguments: the generations and the server's time when the fetch began. Then,
    /// for each entry: its value, its lifetime in milliseconds and its fetch time.
    // A fetch time in the future does not count as newer.
    static let store =
        reading + timing + """
            if get(KEYS[1]) ~= ARGV[1] then return -1 end
            local fetched_at = '^{"version":\(SharedValue.version),"fetchedAt":(%d+),'
            local marked_at = '^[\(SharedValue.staleMark)\(SharedValue.tombstoneMark)](%d+)'
            local began, latest = tonumber(ARGV[2]), now()
            local count = 0
            for n = 2, #KEYS do
                local first = 3 + (n - 2) * 3
                local old = get(KEYS[n]) or ''
                local marked = tonumber(string.match(old, marked_at) or '')
                local fetched = tonumber(string.match(old, fetched_at) or '')
                local isMarked = marked and marked >= began and marked <= latest
                local isNewer = fetched and fetched > tonumber(ARGV[first + 2])
                    and fetched * 1000 <= latest + \(SharedValue.maxAhead) * 1000
                if not isMarked and not isNewer then
                    redis.call('SET', KEYS[n], ARGV[first], 'PX', ARGV[first + 1])
                    count = count + 1
                end
            end
            return count
            """

    /// The Redis commands that the scripts call. The ACL of the Redis user must allow all of them.
    static let commands = ["get", "set", "del", "pexpire", "pttl", "time"]

    /// A script that returns the names of the `commands` that the ACL of the Redis user denies. Writes nothing.
    ///
    /// Keys: a key that holds no value. The script tries the commands on this key.
    static let tryRights = """
        local missing = {}
        local function try(name, ...)
            local reply = redis.pcall(name, ...)
            local fault = type(reply) == 'table' and reply.err or ''
            -- Redis 7.0 has no error code for this in scripts.
            local isOld = string.find(fault, 'The user executing the script', 1, true)
            if isOld or string.find(fault, 'NOPERM', 1, true) then missing[#missing + 1] = name end
        end
        try('get', KEYS[1])
        try('set', KEYS[1], '', 'XX')
        try('del', KEYS[1])
        try('pexpire', KEYS[1], 1)
        try('pttl', KEYS[1])
        try('time')
        return missing
        """

    /// A script that takes a lease. Returns 1, or 0 if another process holds the lease. If the key holds an invalid
    /// value, the script replaces the value.
    ///
    /// Keys: the lease. Arguments: the token of the lease, and its lifetime in milliseconds.
    // A key is invalid if it does not hold a string, has no lifetime, or has a longer lifetime than a lease.
    static let takeLease =
        reading + """
            if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
            local left = redis.call('PTTL', KEYS[1])
            if get(KEYS[1]) and left >= 0 and left <= tonumber(ARGV[2]) then return 0 end
            redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
            return 1
            """

    /// A script that extends a lease if the caller still holds it. Returns 1, or 0 if the caller does not hold the
    /// lease.
    ///
    /// Keys: the lease. Arguments: the token of the lease, and its lifetime in milliseconds.
    static let renewLease =
        reading + """
            if get(KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
            return 0
            """

    /// A script that ends a lease if the caller still holds it. Returns 1, or 0 if the caller does not hold the lease.
    ///
    /// Keys: the lease. Arguments: the token of the lease.
    static let endLease =
        reading + """
            if get(KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
            return 0
            """

    /// A script that takes a token from the bucket of a rate limit (generic cell rate algorithm). The bucket allows
    /// `burst` requests at the same time, and then one request per interval. The script returns the time that the
    /// caller must wait. If this time exceeds the caller's maximum, the script takes no token and returns the negative
    /// time.
    ///
    /// Keys: the bucket. Arguments: the interval, the burst, the maximum wait of this caller, and the maximum wait that
    /// any caller can choose. All times are in microseconds.
    // A bucket is invalid and is reset if its next free token comes later than any caller waits.
    static let takeToken =
        reading + timing + """
            local now = now()
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
