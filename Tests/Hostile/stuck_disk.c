/* Preloaded with LD_PRELOAD. As soon as the file named by STUCK_DISK exists, a write to a disk never returns. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static void hang(void) {
  const char *sign = getenv("STUCK_DISK");
  while (sign && access(sign, F_OK) == 0) pause();
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  ssize_t (*next)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  hang();
  return next(file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  ssize_t (*next)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite");
  hang();
  return next(file, bytes, count, offset);
}

int fsync(int file) {
  int (*next)(int) = dlsym(RTLD_NEXT, "fsync");
  hang();
  return next(file);
}

int fdatasync(int file) {
  int (*next)(int) = dlsym(RTLD_NEXT, "fdatasync");
  hang();
  return next(file);
}
