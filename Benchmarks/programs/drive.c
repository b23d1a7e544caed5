// drive: starts a server that talks newline-delimited JSON-RPC over stdin and stdout, and times it from outside.
//
//     drive ping   [options] FILE -- COMMAND...   one request in flight: percentiles of the time to its reply
//     drive flood  [options] FILE -- COMMAND...   WINDOW requests in flight: requests per second
//     drive first  [options] FILE -- COMMAND...   from before the spawn to the first reply; a new process each time
//     drive memory [options] FILE -- COMMAND...   resident memory: idle, after the preparation, after COUNT requests
//
//     -n COUNT    number of timed requests (first: processes); default: each line of FILE once
//     -w WARM     number of untimed requests before them (ping), from the same lines
//     -i WINDOW   number of requests in flight (flood, memory); default 256
//     -p FILE     requests to send before the timing starts (each line once, any source)
//     -e SOURCE   a timed reply must contain "source":"SOURCE", or the run fails
//     -k EVERY    check one reply in EVERY (flood); default 1. ping and first check every reply, outside of the timing
//
// The lines of FILE are sent unchanged and in turn, starting again after the last one. Replies are counted by their
// newlines, so the server must not send notifications. Prints one JSON line on stdout. The run fails with code 1 if the
// server exits early, returns an error or does not reply for TIMEOUT seconds. The child is always reaped.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "common.h"

#define TIMEOUT 60
#define BUFFER_SIZE (1 << 20)

struct lines {
    char *bytes;
    size_t *starts;  // count + 1 offsets
    size_t count;
};

struct options {
    long count, warm, window, every;
    const char *prepare, *source, *file;
    char **command;
};

static pid_t child;
static int to_child = -1, from_child = -1;
static char expected[64];

static void reap_and_exit(int code) {
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    _exit(code);
}

static void on_signal(int number) {
    static const char late[] = "drive: timeout: the server did not reply\n";
    if (number == SIGALRM && write(2, late, sizeof late - 1) < 0) _exit(1);
    reap_and_exit(1);
}

static void fail(const char *what) {
    fprintf(stderr, "drive: %s\n", what);
    reap_and_exit(1);
}

static struct lines load(const char *path) {
    struct lines lines = {0};
    int fd = open(path, O_RDONLY);
    if (fd < 0) fail(path);
    off_t size = lseek(fd, 0, SEEK_END);
    lines.bytes = allocate((size_t)size + 1);
    if (size < 1 || pread(fd, lines.bytes, (size_t)size, 0) != size || lines.bytes[size - 1] != '\n') {
        fail("the file of requests is empty, unreadable or has no newline at its end");
    }
    close(fd);
    for (off_t index = 0; index < size; index++) lines.count += lines.bytes[index] == '\n';
    lines.starts = allocate((lines.count + 1) * sizeof *lines.starts);
    size_t line = 0;
    lines.starts[0] = 0;
    for (off_t index = 0; index < size; index++) {
        if (lines.bytes[index] == '\n') lines.starts[++line] = (size_t)index + 1;
    }
    return lines;
}

static const char *line_at(const struct lines *lines, long number, size_t *length) {
    size_t index = (size_t)number % lines->count;
    *length = lines->starts[index + 1] - lines->starts[index];
    return lines->bytes + lines->starts[index];
}

static void spawn(char **command) {
    int in[2], out[2];
    if (pipe(in) < 0 || pipe(out) < 0) fail("pipe");
    child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[0]);
        close(in[1]);
        close(out[0]);
        close(out[1]);
        signal(SIGPIPE, SIG_DFL);
        execvp(command[0], command);
        perror(command[0]);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_child = in[1];
    from_child = out[0];
}

// Closes the stdin of the child and waits for its exit. Returns the resource usage of the child.
static struct rusage finish(void) {
    static char ignored[4096];
    struct rusage usage;
    int status = 0;
    close(to_child);
    while (read(from_child, ignored, sizeof ignored) > 0) continue;
    close(from_child);
    if (wait4(child, &status, 0, &usage) < 0) fail("wait4");
    child = 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail("the server did not exit with code 0");
    return usage;
}

static double cpu_us(const struct rusage *usage) {
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1e6 +
           (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

// Returns the maximum memory of the child in KiB: `seen` (from /proc) or, without /proc, the value from wait4.
static long max_rss_kib(long seen, const struct rusage *usage) {
    if (seen >= 0) return seen;
#ifdef __APPLE__
    return usage->ru_maxrss / 1024;
#else
    return usage->ru_maxrss;
#endif
}

static void check(const char *reply, const char *end, const char *source) {
    if (source && find_text(reply, end, expected) && !find_text(reply, end, "\"error\":")) return;
    if (!source && !find_text(reply, end, "\"error\":")) return;
    long shown = end - reply < 1000 ? end - reply : 1000;
    fprintf(stderr, "drive: expected a result%s%s, got: %.*s\n", source ? " with " : "", source ? expected : "",
            (int)shown, reply);
    reap_and_exit(1);
}

// Fails if the reply does not have the id of `line`.
static void check_id(const char *line, size_t length, const char *reply, const char *end) {
    const char *id = NULL;
    char wanted[96];
    size_t id_length = find_id(line, line + length, &id);
    if (id_length == 0) return;
    snprintf(wanted, sizeof wanted, "\"id\":%.*s", (int)(id_length < 80 ? id_length : 80), id);
    if (!find_text(reply, end, wanted)) fail("the id of a reply differs from that of its request");
}

static char reply[BUFFER_SIZE];

// Sends one line and waits for the reply. Returns the length of the reply without its newline.
static size_t exchange(const char *line, size_t length) {
    if (write_all(to_child, line, length) < 0) fail("the server closed its stdin");
    size_t have = 0;
    for (;;) {
        ssize_t got = read(from_child, reply + have, sizeof reply - have);
        if (got <= 0) fail("the server exited before it replied");
        have += (size_t)got;
        if (reply[have - 1] == '\n') return have - 1;
        if (have == sizeof reply) fail("a reply is too long");
    }
}

// Waits until the server replies to a first request. Only `first` measures the start of the server.
static void greet(void) {
    static const char status[] = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"server/status\"}\n";
    size_t length = exchange(status, sizeof status - 1);
    check(reply, reply + length, NULL);
}

// Waits until the output of the child is readable or, if `writing` is true, its input is writable.
static void wait_ready(int writing) {
    struct pollfd ends[2] = {{.fd = from_child, .events = POLLIN}, {.fd = to_child, .events = POLLOUT}};
    int ready = poll(ends, writing ? 2 : 1, TIMEOUT * 1000);
    if (ready < 0 && errno != EINTR) fail("poll");
    if (ready == 0) fail("timeout: the server did not reply");
}

// Counts the complete replies in `reply[0 ..< have]` and checks one in `every`. Moves an incomplete reply to the start
// of `reply`. Returns the count.
static long take_replies(size_t *have, long done, long every, const char *source) {
    const char *at = reply, *end = reply + *have, *newline;
    long taken = 0;
    while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
        if (every > 0 && (done + taken) % every == 0) check(at, newline, source);
        taken++;
        at = newline + 1;
    }
    *have = (size_t)(end - at);
    if (*have == sizeof reply) fail("a reply is too long");
    memmove(reply, at, *have);
    return taken;
}

// Sends `total` lines with at most `window` in flight and reads all replies. Returns the duration in seconds.
static double pump(const struct lines *lines, long total, long window, long every, const char *source) {
    static char output[BUFFER_SIZE];
    size_t queued = 0, written = 0, have = 0;
    long sent = 0, done = 0;
    fcntl(to_child, F_SETFL, O_NONBLOCK);
    fcntl(from_child, F_SETFL, O_NONBLOCK);
    alarm(0);  // wait_ready has its own timeout
    double start = now_us();
    while (done < total) {
        if (written == queued) queued = written = 0;
        while (sent < total && sent - done < window) {
            size_t length;
            const char *line = line_at(lines, sent, &length);
            if (queued + length > sizeof output) break;
            memcpy(output + queued, line, length);
            queued += length;
            sent++;
        }
        if (written < queued) {
            ssize_t count = write(to_child, output + written, queued - written);
            if (count < 0 && errno != EAGAIN && errno != EINTR) fail("the server closed its stdin");
            if (count > 0) written += (size_t)count;
        }
        wait_ready(written < queued);
        ssize_t got = read(from_child, reply + have, sizeof reply - have);
        if (got == 0) fail("the server exited before it replied");
        if (got < 0 && errno != EAGAIN && errno != EINTR) fail("read");
        if (got > 0) {
            have += (size_t)got;
            done += take_replies(&have, done, every, source);
        }
    }
    double seconds = (now_us() - start) / 1e6;
    if (have != 0) fail("there are more replies than requests");
    fcntl(to_child, F_SETFL, 0);
    fcntl(from_child, F_SETFL, 0);
    alarm(TIMEOUT);
    return seconds;
}

// Sends each line of the -p file once. Returns the number of lines.
static long prepare(const struct options *options) {
    if (!options->prepare) return 0;
    struct lines lines = load(options->prepare);
    pump(&lines, (long)lines.count, 64, 1, NULL);
    free(lines.bytes);
    free(lines.starts);
    return (long)lines.count;
}

static void print_times(const char *mode, double *times, long count, const char *unit, double scale) {
    sort_doubles(times, (size_t)count);
    static const struct {
        const char *name;
        double part;
    } columns[] = {{"p50", .5}, {"p90", .9}, {"p99", .99}};
    printf("{\"mode\":\"%s\",\"count\":%ld", mode, count);
    for (size_t index = 0; index < 3; index++) {
        printf(",\"%s_%s\":%.3f", columns[index].name, unit,
               percentile(times, (size_t)count, columns[index].part) / scale);
    }
    printf(",\"min_%s\":%.3f,\"max_%s\":%.3f", unit, times[0] / scale, unit, times[count - 1] / scale);
}

static void ping(const struct options *options) {
    struct lines lines = load(options->file);
    long count = options->count > 0 ? options->count : (long)lines.count - options->warm;
    if (count < 1) fail("FILE has no more lines than -w");
    double *times = allocate((size_t)count * sizeof *times);
    spawn(options->command);
    long prepared = prepare(options);
    for (long index = -options->warm; index < count; index++) {
        size_t length;
        const char *line = line_at(&lines, index + options->warm, &length);
        double start = now_us();
        size_t reply_length = exchange(line, length);
        double end = now_us();
        check(reply, reply + reply_length, options->source);
        check_id(line, length, reply, reply + reply_length);
        if (index >= 0) times[index] = end - start;
        if (index % 1024 == 0) alarm(TIMEOUT);
    }
    long peak = process_number(child, "status", "VmHWM:");
    struct rusage usage = finish();
    print_times("ping", times, count, "us", 1);
    printf(",\"cpu_us\":%.3f,\"max_rss_kib\":%ld}\n", cpu_us(&usage) / (double)(count + options->warm + prepared),
           max_rss_kib(peak, &usage));
}

static void flood(const struct options *options) {
    struct lines lines = load(options->file);
    long count = options->count > 0 ? options->count : (long)lines.count;
    spawn(options->command);
    greet();
    long prepared = prepare(options);
    double seconds = pump(&lines, count, options->window, options->every, options->source);
    long peak = process_number(child, "status", "VmHWM:");
    double closing = now_us();
    struct rusage usage = finish();
    printf("{\"mode\":\"flood\",\"count\":%ld,\"window\":%ld,\"seconds\":%.4f,\"rps\":%.0f,\"closing_ms\":%.2f,"
           "\"cpu_us\":%.3f,\"max_rss_kib\":%ld}\n",
           count, options->window, seconds, (double)count / seconds, (now_us() - closing) / 1e3,
           cpu_us(&usage) / (double)(count + prepared), max_rss_kib(peak, &usage));
}

static void first(const struct options *options) {
    struct lines lines = load(options->file);
    long count = options->count > 0 ? options->count : 20;
    double *times = allocate((size_t)count * sizeof *times);
    long peak = -1;
    struct rusage usage;
    for (long index = 0; index < count; index++) {
        size_t length;
        const char *line = line_at(&lines, index, &length);
        alarm(TIMEOUT);
        double start = now_us();
        spawn(options->command);
        size_t reply_length = exchange(line, length);
        times[index] = now_us() - start;
        check(reply, reply + reply_length, options->source);
        check_id(line, length, reply, reply + reply_length);
        peak = process_number(child, "status", "VmHWM:");
        usage = finish();
    }
    print_times("first", times, count, "ms", 1e3);
    printf(",\"max_rss_kib\":%ld}\n", max_rss_kib(peak, &usage));
}

static void memory(const struct options *options) {
    struct lines lines = load(options->file);
    long count = options->count > 0 ? options->count : (long)lines.count;
    spawn(options->command);
    greet();
    usleep(200 * 1000);
    long idle = process_number(child, "status", "VmRSS:");
    prepare(options);
    pump(&lines, count / 10, options->window, options->every, options->source);
    long tenth = process_number(child, "status", "VmRSS:");
    pump(&lines, count - count / 10, options->window, options->every, options->source);
    long end = process_number(child, "status", "VmRSS:"), peak = process_number(child, "status", "VmHWM:");
    struct rusage usage = finish();
    printf("{\"mode\":\"memory\",\"count\":%ld,\"idle_kib\":%ld,\"tenth_kib\":%ld,\"end_kib\":%ld,"
           "\"max_rss_kib\":%ld}\n",
           count, idle, tenth, end, max_rss_kib(peak, &usage));
}

static int usage(void) {
    fprintf(stderr, "usage: drive ping|flood|first|memory [-n COUNT] [-w WARM] [-i WINDOW] [-p FILE] [-e SOURCE]"
                    " [-k EVERY]\n       FILE -- COMMAND...\n");
    return 64;
}

static int read_options(int count, char **words, struct options *options) {
    int option;
    while ((option = getopt(count, words, "+n:w:i:p:e:k:")) != -1) {
        switch (option) {
            case 'n': options->count = strtol(optarg, NULL, 10); break;
            case 'w': options->warm = strtol(optarg, NULL, 10); break;
            case 'i': options->window = strtol(optarg, NULL, 10); break;
            case 'k': options->every = strtol(optarg, NULL, 10); break;
            case 'p': options->prepare = optarg; break;
            case 'e': options->source = optarg; break;
            default: return -1;
        }
    }
    if (count - optind < 3 || strcmp(words[optind + 1], "--") != 0) return -1;
    if (options->window < 1 || options->every < 0 || options->warm < 0 || options->count < 0) return -1;
    options->file = words[optind];
    options->command = words + optind + 2;
    return 0;
}

int main(int count, char **words) {
    struct options options = {.window = 256, .every = 1};
    if (count < 2 || read_options(count - 1, words + 1, &options) < 0) return usage();
    if (options.source) snprintf(expected, sizeof expected, "\"source\":\"%s\"", options.source);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGALRM, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    alarm(TIMEOUT);
    if (strcmp(words[1], "ping") == 0) {
        ping(&options);
    } else if (strcmp(words[1], "flood") == 0) {
        flood(&options);
    } else if (strcmp(words[1], "first") == 0) {
        first(&options);
    } else if (strcmp(words[1], "memory") == 0) {
        memory(&options);
    } else {
        return usage();
    }
    return 0;
}
