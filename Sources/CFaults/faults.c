#define _GNU_SOURCE
#include "CFaults.h"

#include <stdint.h>
#include <string.h>

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The handler calls only safe functions. POSIX lists open, pread, close and stat as async-signal-safe. On Linux, mmap
   and truncate are plain system calls without a lock of the C library. The handler allocates no memory. */

/* The descriptor of /proc/self/maps. It is opened early, because the process may have no free descriptor during a
   fault. */
static int maps = -1;

static struct sigaction former;

/* The number of faults that the process survived, and the inodes of the last affected files. */
static atomic_uint survived;
#define REMEMBERED 4096
static _Atomic uint64_t inodes[REMEMBERED];

/* The number of mappings that were replaced by private memory filled with zeros, and the inodes of the last affected
   files. */
static atomic_uint unshared;
#define REMEMBERED_UNSHARED 1024
static _Atomic uint64_t unshared_inodes[REMEMBERED_UNSHARED];

/* The number of faults in files of the right length since the last file was extended. */
static atomic_uint repeated;
#define MAX_REPEATED 1000

struct mapping {
    uintptr_t start, end;
    uint64_t offset, inode;
    char path[4096];
};

/* A buffered reader of single bytes. */
struct reader {
    int descriptor;
    off_t offset;
    ssize_t count, at;
    char buffer[4096];
};

static int next(struct reader *reader) {
    if (reader->at == reader->count) {
        do reader->count = pread(reader->descriptor, reader->buffer, sizeof reader->buffer, reader->offset);
        while (reader->count < 0 && errno == EINTR);
        reader->at = 0;
        reader->offset += reader->count;
        if (reader->count <= 0) return reader->count = -1;
    }
    return (unsigned char)reader->buffer[reader->at++];
}

static uint64_t number(struct reader *reader, unsigned base, int *end) {
    uint64_t value = 0;
    for (;;) {
        int c = *end = next(reader);
        if (c >= '0' && c <= '9') value = value * base + (unsigned)(c - '0');
        else if (base == 16 && c >= 'a' && c <= 'f') value = value * base + (unsigned)(c - 'a' + 10);
        else return value;
    }
}

/* Reads one line of /proc/self/maps (proc_pid_maps(5)): START-END RIGHTS OFFSET MAJOR:MINOR INODE PATH. Returns 0 at
   the end. */
static int next_mapping(struct reader *reader, struct mapping *mapping) {
    int c;
    mapping->start = number(reader, 16, &c);
    if (c < 0) return 0;
    mapping->end = number(reader, 16, &c);
    do c = next(reader); while (c >= 0 && c != ' ');
    mapping->offset = number(reader, 16, &c);
    number(reader, 16, &c);
    number(reader, 16, &c);
    mapping->inode = number(reader, 10, &c);
    while (c == ' ') c = next(reader);
    size_t length = 0;
    for (; c >= 0 && c != '\n'; c = next(reader))
        if (length < sizeof mapping->path - 1) mapping->path[length++] = (char)c;
    mapping->path[length] = 0;
    return 1;
}

/* Returns whether a mapping is the wanted one: the mapping of an address, or of the beginning of a file. */
typedef int wanted(const struct mapping *mapping, uint64_t what);

static int has_address(const struct mapping *mapping, uint64_t address) {
    return address >= mapping->start && address < mapping->end;
}

static int is_beginning(const struct mapping *mapping, uint64_t inode) {
    return mapping->inode == inode && mapping->offset == 0 && mapping->path[0] == '/';
}

static int find_once(wanted *is_wanted, uint64_t what, struct mapping *mapping) {
    struct reader reader;
    reader.offset = reader.count = reader.at = 0;
    /* A separate descriptor is preferred, because its position does not change while other threads map and unmap
       memory. */
    int own = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    reader.descriptor = own >= 0 ? own : maps;
    int found = 0;
    while (!found && next_mapping(&reader, mapping)) found = is_wanted(mapping, what);
    if (own >= 0) close(own);
    return found;
}

/* Searches several times, because a line is missed if another thread changes the mappings during the search. */
static int find(wanted *is_wanted, uint64_t what, struct mapping *mapping) {
    for (int tries = 0; tries < 10; tries++)
        if (find_once(is_wanted, what, mapping)) return 1;
    return 0;
}

/* Returns whether the mapped file is the index of a write-ahead log. The name of a deleted file is followed by a
   remark. */
static int is_index(const char *path) {
    const char *suffix = strstr(path, "-shm");
    while (suffix != NULL && suffix[4] != 0 && suffix[4] != ' ') suffix = strstr(suffix + 1, "-shm");
    return path[0] == '/' && suffix != NULL;
}

/* Replaces "\012" by a newline. The system encodes no other character in /proc/self/maps. */
static void decode_newlines(char *path) {
    char *to = path;
    for (const char *from = path; *from != 0; to++) {
        if (strncmp(from, "\\012", 4) == 0) *to = '\n', from += 4;
        else *to = *from++;
    }
    *to = 0;
}

/* Reads the status of the mapped file, if it still has its name. The device is not compared, because some file systems
   report a different one for each folder. */
static int has_status(struct mapping *mapping, struct stat *status) {
    if (stat(mapping->path, status) == 0 && status->st_ino == mapping->inode) return 1;
    decode_newlines(mapping->path);
    return stat(mapping->path, status) == 0 && status->st_ino == mapping->inode;
}

/* Extends the file to its mapped length, without a descriptor, because closing one would release the process's locks.
   If another thread was faster, nothing is left to do. If faults continue, there is another cause, such as a
   full disk. */
static int lengthen(struct mapping *mapping) {
    struct stat status;
    if (!has_status(mapping, &status)) return 0;
    off_t length = (off_t)(mapping->offset + (mapping->end - mapping->start));
    if (status.st_size >= length) return atomic_fetch_add(&repeated, 1) < MAX_REPEATED;
    if (truncate(mapping->path, length) != 0) return 0;
    atomic_store(&repeated, 0);
    return 1;
}

static void handle(int signal, siginfo_t *info, void *context) {
    (void)context;
    int saved = errno;
    struct mapping mapping;
    int is_ours = info->si_code == BUS_ADRERR && find(has_address, (uintptr_t)info->si_addr, &mapping)
        && is_index(mapping.path);
    uint64_t inode = mapping.inode;
    if (is_ours && lengthen(&mapping)) {
        /* A part of the index may remain. SQLite must not treat it as complete. */
        if (mapping.offset == 0 || find(is_beginning, inode, &mapping)) larder_wal_index_reset((void *)mapping.start);
    } else if (is_ours) {
        /* The file is gone or the disk is full: private memory filled with zeros replaces the mapping. The inode is
           recorded first, so that a thread that reads the zeros can detect it. */
        atomic_store(&unshared_inodes[atomic_load(&unshared) % REMEMBERED_UNSHARED], inode);
        atomic_fetch_add(&unshared, 1);
        is_ours = mmap((void *)mapping.start, mapping.end - mapping.start, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
    }
    if (is_ours) {
        atomic_store(&inodes[atomic_load(&survived) % REMEMBERED], inode);
        atomic_fetch_add(&survived, 1);
    } else {
        sigaction(signal, &former, NULL); /* The access is repeated with the previous handler. */
    }
    errno = saved;
}

void larder_survive_cut_files(void) {
    maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    /* SA_NODEFER: the memory that the handler accesses may be cut off too. */
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &former);
}

unsigned larder_survived_cuts(void) { return atomic_load(&survived); }

/* Returns whether the file at a path is among the inodes recorded since a count. Also returns 1 if too many were
   recorded, or the file is gone. */
static int is_among(
    const _Atomic uint64_t *noted, unsigned remembered, unsigned since, unsigned now, const char *path) {
    if (now == since) return 0;
    struct stat status;
    if (now - since > remembered || stat(path, &status) != 0) return 1;
    for (; since != now; since++)
        if (atomic_load(&noted[since % remembered]) == status.st_ino) return 1;
    return 0;
}

int larder_was_cut(unsigned since, const char *path) {
    return is_among(inodes, REMEMBERED, since, atomic_load(&survived), path);
}

unsigned larder_unshared_files(void) { return atomic_load(&unshared); }

int larder_was_unshared(unsigned since, const char *path) {
    return is_among(unshared_inodes, REMEMBERED_UNSHARED, since, atomic_load(&unshared), path);
}

#else

void larder_survive_cut_files(void) {}
unsigned larder_survived_cuts(void) { return 0; }
int larder_was_cut(unsigned since, const char *path) { return (void)since, (void)path, 0; }
unsigned larder_unshared_files(void) { return 0; }
int larder_was_unshared(unsigned since, const char *path) { return (void)since, (void)path, 0; }

#endif

/* The layout of https://sqlite.org/walformat.html. Two copies of a header of 48 bytes come first. In the header, the
   fifth word is the number of frames, and the thirteenth byte is not zero. 40 bytes for checkpoints follow, then the
   page number of each frame, which is never zero. */
#define HEADERS 96
#define IS_MADE 12
#define FRAMES 16
#define FIRST_PAGE 136

void larder_wal_index_reset(void *index) {
    memset(index, 0, HEADERS);
    __atomic_store_n((uint32_t *)((char *)index + FIRST_PAGE), 0, __ATOMIC_RELEASE);
}

int larder_wal_index_is_whole(const void *index) {
    return __atomic_load_n((const uint32_t *)((const char *)index + FRAMES), __ATOMIC_ACQUIRE) == 0
        || __atomic_load_n((const uint32_t *)((const char *)index + FIRST_PAGE), __ATOMIC_ACQUIRE) != 0;
}

int larder_wal_index_is_made(const void *index) {
    return __atomic_load_n((const uint8_t *)index + IS_MADE, __ATOMIC_ACQUIRE) != 0;
}
