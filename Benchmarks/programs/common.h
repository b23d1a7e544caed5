// Helpers for the benchmark programs: a clock, percentiles, a complete write, an item like the items of a real API, and
// the parsing of a request line that the floors need. Everything is static, because each program is one file.
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define UNUSED __attribute__((unused))

// The maximum length of an item from write_item.
#define ITEM_MAX 1024

// Returns the time of the monotonic clock in microseconds.
UNUSED static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

UNUSED static void *allocate(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

// Returns a field of the file /proc/PID/`name` as a number, such as "VmRSS:" of `status`; -1 if there is no such file.
UNUSED static long process_number(pid_t process, const char *name, const char *field) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
    FILE *file = fopen(path, "r");
    if (!file) return -1;
    long value = -1;
    while (value < 0 && fgets(line, sizeof line, file)) {
        if (strncmp(line, field, strlen(field)) == 0) value = strtol(line + strlen(field), NULL, 10);
    }
    fclose(file);
    return value;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

UNUSED static void sort_doubles(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare_doubles);
}

// Returns a percentile of sorted values: `part` (0...1) of the values are below it.
UNUSED static double percentile(const double *sorted, size_t count, double part) {
    size_t index = (size_t)((double)count * part);
    return sorted[index < count ? index : count - 1];
}

// Writes all bytes. Returns 0, or -1 if the reader has closed the pipe.
UNUSED static int write_all(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t written = write(fd, bytes, length);
        if (written < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        bytes += written;
        length -= (size_t)written;
    }
    return 0;
}

// Writes an item in the shape of the Rick and Morty API, about 600 bytes. Returns its length.
UNUSED static size_t write_item(char out[ITEM_MAX], long id) {
    int length = snprintf(
        out, ITEM_MAX,
        "{\"id\":%ld,\"name\":\"Rick Sanchez %ld\",\"status\":\"Alive\",\"species\":\"Human\",\"type\":\"\","
        "\"gender\":\"Male\","
        "\"origin\":{\"name\":\"Earth (C-137)\",\"url\":\"https://rickandmortyapi.com/api/location/1\"},"
        "\"location\":{\"name\":\"Citadel of Ricks\",\"url\":\"https://rickandmortyapi.com/api/location/3\"},"
        "\"image\":\"https://rickandmortyapi.com/api/character/avatar/%ld.jpeg\","
        "\"episode\":[\"https://rickandmortyapi.com/api/episode/1\",\"https://rickandmortyapi.com/api/episode/2\"],"
        "\"url\":\"https://rickandmortyapi.com/api/character/%ld\",\"created\":\"2017-11-04T18:48:46.250Z\"}",
        id, id, id, id);
    return (size_t)length;
}

// Finds `needle` in [start, end); returns NULL if it is missing. Not every C library has memmem.
UNUSED static const char *find_text(const char *start, const char *end, const char *needle) {
    size_t length = strlen(needle);
    while ((size_t)(end - start) >= length) {
        const char *hit = memchr(start, needle[0], (size_t)(end - start) - length + 1);
        if (!hit) return NULL;
        if (memcmp(hit, needle, length) == 0) return hit;
        start = hit + 1;
    }
    return NULL;
}

// Finds the value of the first "id" member in [start, end): a number, or a string without commas and braces. Returns
// its length; 0 if there is none.
UNUSED static size_t find_id(const char *start, const char *end, const char **value) {
    const char *at = find_text(start, end, "\"id\":");
    if (!at) return 0;
    at += 5;
    while (at < end && *at == ' ') at++;
    *value = at;
    while (at < end && *at != ',' && *at != '}' && *at != '\n') at++;
    return (size_t)(at - *value);
}

#endif
