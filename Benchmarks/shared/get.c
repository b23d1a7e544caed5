// get: reads values of a Redis server over a Unix socket, for comparison with Larder.
//
//     get bare  SOCKET NAMES WARM    reads each name once, one in flight: prints percentiles as one JSON line
//     get serve SOCKET NAMES         answers each request line on stdin with the value of the next name
//
// NAMES is a file with one name per line. `serve` finds the id in a request and copies the part of the value after its
// first line into a reply. This is the minimum that a server of this protocol must do.

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "../programs/common.h"

#define BUFFER_SIZE (1 << 20)

static char reply[BUFFER_SIZE], input[BUFFER_SIZE], output[BUFFER_SIZE];

static void fail(const char *what) {
    fprintf(stderr, "get: %s\n", what);
    exit(1);
}

static int connect_to(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) fail("the socket's name is too long");
    memcpy(address.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) fail("cannot connect to the server");
    return fd;
}

struct names {
    char *bytes;
    size_t *starts;  // count + 1 offsets
    size_t count;
};

static struct names load(const char *path) {
    struct names names = {0};
    struct stat info;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &info) < 0 || info.st_size < 1) fail("the file of names is empty or cannot be read");
    names.bytes = allocate((size_t)info.st_size);
    if (read(fd, names.bytes, (size_t)info.st_size) != info.st_size) fail("the file of names cannot be read");
    close(fd);
    for (off_t index = 0; index < info.st_size; index++) names.count += names.bytes[index] == '\n';
    names.starts = allocate((names.count + 1) * sizeof *names.starts);
    size_t line = 0;
    names.starts[0] = 0;
    for (off_t index = 0; index < info.st_size; index++) {
        if (names.bytes[index] == '\n') names.starts[++line] = (size_t)index + 1;
    }
    return names;
}

// Reads the value of a name. Returns the start of the value in `reply`, and its length.
static const char *get(int fd, const struct names *names, size_t number, size_t *length) {
    char command[512];
    size_t index = number % names->count;
    size_t size = names->starts[index + 1] - names->starts[index] - 1;
    int head = snprintf(command, sizeof command, "*2\r\n$3\r\nGET\r\n$%zu\r\n", size);
    if ((size_t)head + size + 2 > sizeof command) fail("a name is too long");
    memcpy(command + head, names->bytes + names->starts[index], size);
    memcpy(command + head + size, "\r\n", 2);
    if (write_all(fd, command, (size_t)head + size + 2) < 0) fail("the server closed the connection");
    size_t have = 0;
    for (;;) {
        ssize_t got = read(fd, reply + have, sizeof reply - have);
        if (got <= 0) fail("the server closed the connection");
        have += (size_t)got;
        const char *end = memchr(reply, '\n', have);
        if (!end) continue;
        if (reply[0] != '$' || reply[1] == '-') fail("a name has no value");
        *length = (size_t)strtoul(reply + 1, NULL, 10);
        size_t whole = (size_t)(end + 1 - reply) + *length + 2;
        if (whole > sizeof reply) fail("a value is too long");
        if (have >= whole) return end + 1;
    }
}

static int bare(int fd, const struct names *names, size_t warm) {
    if (warm >= names->count) fail("the file of names needs more than WARM names");
    size_t count = names->count - warm, length;
    double *times = allocate(count * sizeof *times);
    for (size_t number = 0; number < names->count; number++) {
        double begin = now_us();
        get(fd, names, number, &length);
        if (number >= warm) times[number - warm] = now_us() - begin;
    }
    sort_doubles(times, count);
    printf("{\"p50_us\":%.2f,\"p99_us\":%.2f}\n", percentile(times, count, 0.5), percentile(times, count, 0.99));
    free(times);
    return 0;
}

static int serve(int fd, const struct names *names) {
    size_t have = 0, number = 0;
    for (;;) {
        ssize_t got = read(0, input + have, sizeof input - have);
        if (got <= 0) return 0;
        have += (size_t)got;
        const char *at = input, *end = input + have, *newline;
        while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
            const char *id = "null";
            size_t id_length = find_id(at, newline, &id), length;
            if (id_length == 0) id_length = 4;
            const char *value = get(fd, names, number++, &length);
            const char *line = memchr(value, '\n', length);
            const char *payload = line ? line + 1 : value;
            size_t rest = length - (size_t)(payload - value);
            if (rest + 512 > sizeof output) fail("a value is too long");
            int total = snprintf(
                output, sizeof output,
                "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{\"item\":%.*s,\"source\":\"shared\","
                "\"fetchedAt\":\"2024-01-01T00:00:00.000Z\",\"stale\":false}}\n",
                (int)id_length, id, (int)rest, payload);
            if (write_all(1, output, (size_t)total) < 0) return 0;
            at = newline + 1;
        }
        have = (size_t)(end - at);
        memmove(input, at, have);
        if (have == sizeof input) fail("a line is too long");
    }
}

int main(int count, char **words) {
    if (count == 5 && strcmp(words[1], "bare") == 0) {
        struct names names = load(words[3]);
        return bare(connect_to(words[2]), &names, (size_t)strtoul(words[4], NULL, 10));
    }
    if (count == 4 && strcmp(words[1], "serve") == 0) {
        struct names names = load(words[3]);
        return serve(connect_to(words[2]), &names);
    }
    fail("usage: get bare SOCKET NAMES WARM | get serve SOCKET NAMES");
}
