// curl_easy: the floor of a cold miss. It uses one libcurl easy handle, one persistent connection and one request in
// flight.
//
//     curl_easy URL FIRST COUNT WARM
//
// Gets URL/FIRST, URL/FIRST+1, ... in turn, WARM of them untimed and then COUNT timed, and prints one JSON line:
// {"mode":"curl_easy","count":N,"p50_us":...,"p90_us":...,"p99_us":...,"max_us":...}

#include <curl/curl.h>

#include "common.h"

struct body {
    char bytes[1 << 16];
    size_t length;
};

static size_t keep(char *bytes, size_t size, size_t count, void *context) {
    struct body *body = context;
    size_t length = size * count;
    if (length > sizeof body->bytes - body->length) return 0;
    memcpy(body->bytes + body->length, bytes, length);
    body->length += length;
    return length;
}

// Fetches one item. Exits if the response is not that item.
static void get(CURL *handle, struct body *body, const char *base, long id) {
    char url[512], expected[64];
    snprintf(url, sizeof url, "%s/%ld", base, id);
    int expected_length = snprintf(expected, sizeof expected, "{\"id\":%ld,", id);
    body->length = 0;
    curl_easy_setopt(handle, CURLOPT_URL, url);
    CURLcode code = curl_easy_perform(handle);
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    if (code != CURLE_OK || status != 200 || body->length < (size_t)expected_length ||
        memcmp(body->bytes, expected, (size_t)expected_length) != 0) {
        fprintf(stderr, "curl_easy: %s: %s, status %ld\n", url, curl_easy_strerror(code), status);
        exit(1);
    }
}

int main(int count, char **words) {
    if (count != 5) {
        fprintf(stderr, "usage: curl_easy URL FIRST COUNT WARM\n");
        return 64;
    }
    long first = strtol(words[2], NULL, 10), timed = strtol(words[3], NULL, 10), warm = strtol(words[4], NULL, 10);
    if (timed < 1) return 64;
    static struct body body;
    double *times = allocate((size_t)timed * sizeof *times);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURL *handle = curl_easy_init();
    if (!handle) return 1;
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &body);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT, 10L);
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    for (long index = -warm; index < timed; index++) {
        double start = now_us();
        get(handle, &body, words[1], first + warm + index);
        if (index >= 0) times[index] = now_us() - start;
    }
    curl_easy_cleanup(handle);
    curl_global_cleanup();
    sort_doubles(times, (size_t)timed);
    printf("{\"mode\":\"curl_easy\",\"count\":%ld,\"p50_us\":%.2f,\"p90_us\":%.2f,\"p99_us\":%.2f,\"max_us\":%.2f}\n",
           timed, percentile(times, (size_t)timed, .5), percentile(times, (size_t)timed, .9),
           percentile(times, (size_t)timed, .99), times[timed - 1]);
    free(times);
    return 0;
}
