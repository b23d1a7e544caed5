#ifndef LARDER_CFAULTS_H
#define LARDER_CFAULTS_H

/* Lets the process survive the truncation of a file that SQLite has mapped: the shared index of a write-ahead log
   (`*-shm`). `cp` truncates a file that it overwrites, for example. Without this handler, an access to the missing part
   would end the process with SIGBUS.

   The handler extends the file to its former length with zeros. SQLite treats them as an index that must be rebuilt.
   Every other SIGBUS has its previous effect. Call this function once, before the first such file is mapped. */
void larder_survive_cut_files(void);

/* Returns the number of truncated files that the process survived. */
unsigned larder_survived_cuts(void);

/* Returns whether the file at `path` was truncated since `larder_survived_cuts` returned `since`. Also returns 1 if the
   file is gone. */
int larder_was_cut(unsigned since, const char *path);

/* Returns the number of files that could not be extended. This process then has private zeros in place of the mapping.
   It shares no changes with other processes there, so it must not read or write such a file any more. */
unsigned larder_unshared_files(void);

/* Returns whether the file at `path` could not be extended since `larder_unshared_files` returned `since`. Also returns
   1 if the file is gone. */
int larder_was_unshared(unsigned since, const char *path);

/* Makes SQLite rebuild a mapped index from the log, which it does if there is no header. */
void larder_wal_index_reset(void *index);

/* Returns whether a mapped index has the first frame of its log, if the log has frames. If an index is truncated during
   a write, the writer restores its header, but the earlier frames are missing. */
int larder_wal_index_is_whole(const void *index);

/* Returns whether a mapped index has a header. No process removes it from a possible writer, so only a truncated index
   has none. */
int larder_wal_index_is_made(const void *index);

#endif
