// allocations: a library for LD_PRELOAD that counts the process's calls of malloc, calloc and realloc.
//
//     LD_PRELOAD=allocations.so LARDER_ALLOCATIONS=FILE command...
//
// FILE has 8 bytes: the count in the machine's byte order. Other programs can read FILE while the process runs.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// glibc's internal functions, because dlsym would allocate before it returns the real malloc.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static _Atomic uint64_t *count;

__attribute__((constructor)) static void open_count(void) {
    const char *path = getenv("LARDER_ALLOCATIONS");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    if (ftruncate(file, sizeof *count) == 0) {
        void *memory = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory != MAP_FAILED) count = memory;
    }
    close(file);
}

static void note(void) {
    if (count) atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    note();
    return __libc_realloc(memory, size);
}
