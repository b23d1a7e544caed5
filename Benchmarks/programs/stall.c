// stall: a library for LD_PRELOAD that simulates a hanging disk. While the file that LARDER_STALL names exists, each
// fsync, fdatasync and pwrite takes 5 seconds longer and appends a byte to this file.
//
//     LD_PRELOAD=stall.so LARDER_STALL=FILE command...

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#define SECONDS 5

static void stall(void) {
    const char *path = getenv("LARDER_STALL");
    int file = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    if (file < 0) return;
    if (write(file, "x", 1) == 1) sleep(SECONDS);
    close(file);
}

#define NEXT(type, name, ...) \
    static type (*next)(__VA_ARGS__); \
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, name)

int fsync(int file) {
    NEXT(int, "fsync", int);
    stall();
    return next(file);
}

int fdatasync(int file) {
    NEXT(int, "fdatasync", int);
    stall();
    return next(file);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    NEXT(ssize_t, "pwrite", int, const void *, size_t, off_t);
    stall();
    return next(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    NEXT(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    stall();
    return next(file, bytes, count, offset);
}
