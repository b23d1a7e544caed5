// spawn: runs a command and measures it.
//
//     spawn COMMAND...
//
// The stdout of the command passes through. Afterwards, spawn prints one JSON line:
// {"ms":N,"ended_us":N,"max_rss_kib":N,"written":N}
//
//     ms            the time from the call of fork to the exit of the command
//     ended_us      the exit, on the monotonic clock
//     max_rss_kib   the peak memory. On Linux, it includes the peak of the process that forked the command.
//                   Therefore, Python does not start the measured commands itself
//     written       the number of bytes that the command passed to write calls, or the size of the file pages that it
//                   changed, if that is larger; -1 if there is no /proc/PID/io
//
// The exit code is 1 if the command exits with a code other than 0.

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "common.h"

static long max_rss_kib(const struct rusage *usage) {
#ifdef __APPLE__
    return usage->ru_maxrss / 1024;
#else
    return usage->ru_maxrss;
#endif
}

int main(int count, char **words) {
    if (count < 2) {
        fprintf(stderr, "usage: spawn COMMAND...\n");
        return 64;
    }
    double start = now_us();
    pid_t process = fork();
    if (process == 0) {
        execvp(words[1], words + 1);
        perror(words[1]);
        _exit(127);
    }
    siginfo_t info;
    struct rusage usage;
    int status = 0;
    // WNOWAIT keeps the process in /proc.
    if (process < 0 || waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT) < 0) return 1;
    double end = now_us();
    long calls = process_number(process, "io", "wchar:"), pages = process_number(process, "io", "write_bytes:");
    if (wait4(process, &status, 0, &usage) < 0) return 1;
    printf("{\"ms\":%.3f,\"ended_us\":%.0f,\"max_rss_kib\":%ld,\"written\":%ld}\n", (end - start) / 1e3, end,
           max_rss_kib(&usage), pages > calls ? pages : calls);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}
