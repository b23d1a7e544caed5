// curl_multi: the floor of many cold misses at once, with libcurl's multi interface and WINDOW easy handles in flight.
//
//     curl_multi URL FIRST COUNT WINDOW
//
// Gets URL/FIRST ... URL/FIRST+COUNT-1, each once, and prints one JSON line:
// {"mode":"curl_multi","count":N,"window":W,"seconds":S,"rps":R}

#include <curl/curl.h>

#include "common.h"

#define WINDOW_MAX 256

struct slot {
    CURL *handle;
    char bytes[1 << 16];
    size_t length;
    long id;
};

static CURLM *multi;
static const char *base;

static size_t keep(char *bytes, size_t size, size_t count, void *context) {
    struct slot *slot = context;
    size_t length = size * count;
    if (length > sizeof slot->bytes - slot->length) return 0;
    memcpy(slot->bytes + slot->length, bytes, length);
    slot->length += length;
    return length;
}

static void start(struct slot *slot, long id) {
    char url[512];
    snprintf(url, sizeof url, "%s/%ld", base, id);
    slot->id = id;
    slot->length = 0;
    curl_easy_setopt(slot->handle, CURLOPT_URL, url);
    curl_multi_add_handle(multi, slot->handle);
}

// Exits if the finished transfer did not return its item.
static void check(const struct slot *slot, CURLcode code) {
    char expected[64];
    int length = snprintf(expected, sizeof expected, "{\"id\":%ld,", slot->id);
    long status = 0;
    curl_easy_getinfo(slot->handle, CURLINFO_RESPONSE_CODE, &status);
    if (code == CURLE_OK && status == 200 && slot->length >= (size_t)length &&
        memcmp(slot->bytes, expected, (size_t)length) == 0)
        return;
    fprintf(stderr, "curl_multi: item %ld: %s, status %ld\n", slot->id, curl_easy_strerror(code), status);
    exit(1);
}

static void prepare(struct slot *slot) {
    slot->handle = curl_easy_init();
    if (!slot->handle) exit(1);
    curl_easy_setopt(slot->handle, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(slot->handle, CURLOPT_WRITEDATA, slot);
    curl_easy_setopt(slot->handle, CURLOPT_PRIVATE, slot);
    curl_easy_setopt(slot->handle, CURLOPT_TIMEOUT, 10L);
    curl_easy_setopt(slot->handle, CURLOPT_PROXY, "");
}

static void transfer(long first, long total, long *sent, long *done) {
    while (*done < total) {
        int running = 0, left = 0;
        if (curl_multi_perform(multi, &running) != CURLM_OK) exit(1);
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            struct slot *slot = NULL;
            CURLcode code = message->data.result;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&slot);
            check(slot, code);
            curl_multi_remove_handle(multi, slot->handle);
            *done += 1;
            if (*sent < total) start(slot, first + (*sent)++);
        }
        if (*done < total && curl_multi_poll(multi, NULL, 0, 1000, NULL) != CURLM_OK) exit(1);
    }
}

int main(int count, char **words) {
    if (count != 5) {
        fprintf(stderr, "usage: curl_multi URL FIRST COUNT WINDOW\n");
        return 64;
    }
    base = words[1];
    long first = strtol(words[2], NULL, 10), total = strtol(words[3], NULL, 10), window = strtol(words[4], NULL, 10);
    if (window < 1 || window > WINDOW_MAX || total < window) return 64;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    multi = curl_multi_init();
    struct slot *slots = allocate((size_t)window * sizeof *slots);
    for (long index = 0; index < window; index++) prepare(&slots[index]);
    long sent = 0, done = 0;
    double begin = now_us();
    while (sent < window) {
        start(&slots[sent], first + sent);
        sent++;
    }
    transfer(first, total, &sent, &done);
    double seconds = (now_us() - begin) / 1e6;
    for (long index = 0; index < window; index++) curl_easy_cleanup(slots[index].handle);
    curl_multi_cleanup(multi);
    curl_global_cleanup();
    free(slots);
    printf("{\"mode\":\"curl_multi\",\"count\":%ld,\"window\":%ld,\"seconds\":%.4f,\"rps\":%.0f}\n", total, window,
           seconds, (double)total / seconds);
    return 0;
}
