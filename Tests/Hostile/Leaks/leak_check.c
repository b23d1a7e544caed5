// Checks for leaks when the process exits. Larder exits by _exit, and LeakSanitizer does not run there by itself.
//
//     LD_PRELOAD=leak_check.so larder ...      a larder built with --sanitize=address
//
// Writes LEAK_CHECK_DONE to stderr after the check, and exits with code 23 if memory leaked. LARDER_LEAK=1 leaks
// memory deliberately, to prove that the check finds it.

#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Undefined in the child processes of Larder.
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

static void *volatile kept;

__attribute__((constructor)) static void leak(void) {
    if (!getenv("LARDER_LEAK") || !__lsan_do_recoverable_leak_check) return;
    // The last block may still be in a register; earlier blocks are not.
    for (int i = 0; i < 10; i++) kept = malloc(1000);
    kept = NULL;
}

void _exit(int code) {
    if (__lsan_do_recoverable_leak_check) {
        if (__lsan_do_recoverable_leak_check() != 0) code = 23;
        static const char done[] = "LEAK_CHECK_DONE\n";
        if (write(2, done, sizeof done - 1) < 0) code = 23;
    }
    syscall(SYS_exit_group, code);
    __builtin_unreachable();
}
