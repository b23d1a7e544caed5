#ifndef LARDER_CSYSTEM_H
#define LARDER_CSYSTEM_H

/* Functions of the C library that Swift's own module does not contain. */

/* A header of the C library must come before the next lines, because it defines __GLIBC__. */
#include <stdlib.h>

/* Makes all threads share one heap of glibc, to save memory. */
#ifdef __GLIBC__
#include <malloc.h>
static inline void larder_use_one_heap(void) { mallopt(M_ARENA_MAX, 1); }
#else
static inline void larder_use_one_heap(void) {}
#endif

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/types.h>

extern char **environ;

/* Starts a program with the given file actions and flags, and finds the program through PATH. The program gets no other
   descriptors and no blocked or ignored signals. Its environment is that of this process without the variables that
   start with `hidden`. Destroys the actions. Returns 0, or an errno. */
static inline int larder_spawn_with(
    posix_spawn_file_actions_t *actions, short flags, char *const words[], const char *hidden, pid_t *child) {
    size_t count = 0, kept = 0;
    while (environ[count]) count++;
    char **variables = (char **)calloc(count + 1, sizeof(char *));
    if (!variables) {
        posix_spawn_file_actions_destroy(actions);
        return ENOMEM;
    }
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], hidden, strlen(hidden)) != 0) variables[kept++] = environ[i];
    flags |= POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
#ifdef __linux__
    posix_spawn_file_actions_addclosefrom_np(actions, 3);
#else
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t blocked, usual;
    sigemptyset(&blocked);
    sigemptyset(&usual);
    const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGCHLD, SIGBUS, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaddset(&usual, numbers[i]);
    posix_spawnattr_setsigmask(&attributes, &blocked);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, flags);
    int failure = posix_spawnp(child, words[0], actions, &attributes, words, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(actions);
    free(variables);
    return failure;
}

/* Starts a program in its own process group. The program gets no input, and one descriptor for output and one for
   errors. */
static inline int larder_spawn(char *const words[], const char *hidden, int output, int errors, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, errors, 2);
    return larder_spawn_with(&actions, POSIX_SPAWN_SETPGROUP, words, hidden, child);
}

/* Starts a program that reads from a descriptor and shares the terminal of this process, such as a pager. */
static inline int larder_spawn_reader(char *const words[], const char *hidden, int input, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
#ifndef __linux__
    posix_spawn_file_actions_addinherit_np(&actions, 1);
    posix_spawn_file_actions_addinherit_np(&actions, 2);
#endif
    return larder_spawn_with(&actions, 0, words, hidden, child);
}

#ifdef __linux__

#include <sys/prctl.h>

/* Names the calling thread for tools such as top and gdb. The system shortens names to 15 bytes. */
static inline void larder_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

#else

#include <pthread.h>

static inline void larder_name_thread(const char *name) { pthread_setname_np(name); }

#endif

#endif
