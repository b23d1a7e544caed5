// Counts the calls of pthread_mutex_lock by the main thread of the process that it is preloaded into.
//
//     LD_PRELOAD=locks.so LARDER_LOCKS=FILE command...
//
// FILE holds the count as 8 bytes in the machine's byte order. It may be read while the process runs.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t *count;
static int (*_Atomic lock)(pthread_mutex_t *);
static __thread enum { unknown, is_main, is_other } thread;

__attribute__((constructor)) static void open_count(void) {
    const char *path = getenv("LARDER_LOCKS");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    if (ftruncate(file, sizeof *count) == 0) {
        void *memory = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory != MAP_FAILED) count = memory;
    }
    close(file);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (!lock) lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    if (thread == unknown) thread = gettid() == getpid() ? is_main : is_other;
    if (count && thread == is_main) atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    return lock(mutex);
}
