#ifndef LARDER_CFAULTS_H
#define LARDER_CFAULTS_H

/* Lets the process survive the truncation of a file that SQLite has mapped. Such a file is the shared index of a
   write-ahead log (`*-shm`). For example, `cp` truncates a file before it overwrites the file. Without this handler, an
   access to the missing part would end the process with SIGBUS.

   The handler extends the file to its former length with zeros. SQLite then rebuilds the index, because the index has
   no header. Every other SIGBUS has its previous effect. Call this function once, before SQLite maps such a file. */
void larder_survive_cut_files(void);

/* Returns the number of truncated files that the process has survived. */
unsigned larder_survived_cuts(void);

/* Returns 1 if the file at `path` was truncated after `larder_survived_cuts` returned `since`, or if the file is gone.
   Otherwise returns 0. */
int larder_was_cut(unsigned since, const char *path);

/* Returns the number of truncated files that the handler could not extend. In place of such a file, this process sees
   private memory filled with zeros. It must no longer read or write the file, because it does not see the changes of
   other processes, and they do not see its own. */
unsigned larder_unshared_files(void);

/* Returns 1 if the handler failed to extend the file at `path` after `larder_unshared_files` returned `since`, or if
   the file is gone. Otherwise returns 0. */
int larder_was_unshared(unsigned since, const char *path);

/* Removes the header of a mapped index. SQLite then rebuilds the index from the log. */
void larder_wal_index_reset(void *index);

/* Returns whether a mapped index has the first frame of its log, or the log has no frames. After a truncation during a
   write, the writer restores the index's header, but the earlier frames are missing. */
int larder_wal_index_is_whole(const void *index);

/* Returns whether a mapped index has a header. While a process may write the database, no other process removes the
   header, so its absence means a truncation. */
int larder_wal_index_is_made(const void *index);

#endif
