#ifndef LARDER_CSYSTEM_H
#define LARDER_CSYSTEM_H

/* What Swift's module of the C library leaves out. */

/* Any header of glibc's, which says that it is glibc. */
#include <stdlib.h>

/* Lets all threads share one heap of glibc's. */
#ifdef __GLIBC__
#include <malloc.h>
static inline void larder_use_one_heap(void) { mallopt(M_ARENA_MAX, 1); }
#else
static inline void larder_use_one_heap(void) {}
#endif

#ifdef __linux__

#include <sys/prctl.h>

/* Names the thread that calls, for tools such as top and gdb; the system cuts names at 15 bytes. */
static inline void larder_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

#else

#include <pthread.h>

static inline void larder_name_thread(const char *name) { pthread_setname_np(name); }

#endif

#endif
