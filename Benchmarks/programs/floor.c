// floor: the minimal work of a server of this protocol, for comparison with Larder.
//
//     floor < requests > replies
//
// Reads request lines in large chunks, finds the id in each, and answers it with a stored reply of about 600 bytes with
// this id: one write per read. It parses nothing else, so the "id" of the request must come before any "id" in its
// params.

#include "common.h"

#define INPUT_SIZE (1 << 20)
#define OUTPUT_SIZE (1 << 20)
#define REPLY_MAX (ITEM_MAX + 512)

static char input[INPUT_SIZE], output[OUTPUT_SIZE];
static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":";

// Writes the part of the reply that follows the id. Returns the length of this part.
static size_t make_tail(char tail[REPLY_MAX]) {
    char item[ITEM_MAX];
    size_t length = write_item(item, 1);
    int total = snprintf(
        tail, REPLY_MAX,
        ",\"result\":{\"item\":%.*s,\"source\":\"memory\",\"fetchedAt\":\"2024-01-01T00:00:00.000Z\","
        "\"stale\":false}}\n",
        (int)length, item);
    return (size_t)total;
}

int main(void) {
    char tail[REPLY_MAX];
    size_t tail_length = make_tail(tail);
    size_t have = 0;
    for (;;) {
        ssize_t got = read(0, input + have, sizeof input - have);
        if (got <= 0) return 0;
        have += (size_t)got;
        const char *at = input, *end = input + have, *newline;
        size_t used = 0;
        while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
            const char *id = "null";
            size_t id_length = find_id(at, newline, &id);
            if (id_length == 0) id_length = 4;
            if (used + sizeof head + id_length + tail_length > sizeof output) {
                if (write_all(1, output, used) < 0) return 0;
                used = 0;
            }
            memcpy(output + used, head, sizeof head - 1);
            used += sizeof head - 1;
            memcpy(output + used, id, id_length);
            used += id_length;
            memcpy(output + used, tail, tail_length);
            used += tail_length;
            at = newline + 1;
        }
        if (used > 0 && write_all(1, output, used) < 0) return 0;
        have = (size_t)(end - at);
        if (have == sizeof input) {
            fprintf(stderr, "floor: a line is longer than %d bytes\n", INPUT_SIZE);
            return 1;
        }
        memmove(input, at, have);
    }
}
