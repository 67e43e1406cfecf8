/* A directory again, read-only, each of whose requests takes longer, as on a disk or a server:
 *
 *     cc -O2 -o slowfs slowfs.c $(pkg-config --cflags --libs fuse3)
 *     slowfs DIRECTORY MOUNTPOINT MICROSECONDS &
 *     fusermount3 -u MOUNTPOINT
 *
 * Requests overlap. What was read stays in the system's cache until MOUNTPOINT is unmounted. */
#define FUSE_USE_VERSION 35
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *root;
static useconds_t delay;

/* Each request comes here once. */
static const char *source(char *out, size_t size, const char *path) {
  usleep(delay);
  snprintf(out, size, "%s%s", root, path);
  return out;
}

static void *slow_init(struct fuse_conn_info *connection, struct fuse_config *config) {
  connection->max_background = connection->congestion_threshold = 128;
  config->auto_cache = 1;
  config->entry_timeout = config->attr_timeout = 30;
  return NULL;
}

static int slow_getattr(const char *path, struct stat *stat, struct fuse_file_info *info) {
  char full[4096];
  (void)info;
  return lstat(source(full, sizeof full, path), stat) ? -errno : 0;
}

static int slow_open(const char *path, struct fuse_file_info *info) {
  char full[4096];
  int file = open(source(full, sizeof full, path), O_RDONLY);
  info->fh = (uint64_t)file;
  return file < 0 ? -errno : 0;
}

static int slow_read(const char *path, char *out, size_t size, off_t at, struct fuse_file_info *info) {
  (void)path;
  usleep(delay);
  ssize_t count = pread((int)info->fh, out, size, at);
  return count < 0 ? -errno : (int)count;
}

static int slow_release(const char *path, struct fuse_file_info *info) {
  (void)path;
  return close((int)info->fh) ? -errno : 0;
}

static int slow_readdir(const char *path, void *out, fuse_fill_dir_t fill, off_t at,
                        struct fuse_file_info *info, enum fuse_readdir_flags flags) {
  char full[4096];
  DIR *directory = opendir(source(full, sizeof full, path));
  (void)at, (void)info, (void)flags;
  if (!directory) return -errno;
  for (struct dirent *entry; (entry = readdir(directory));) fill(out, entry->d_name, NULL, 0, 0);
  closedir(directory);
  return 0;
}

int main(int count, char **words) {
  if (count != 4) {
    fprintf(stderr, "usage: %s DIRECTORY MOUNTPOINT MICROSECONDS\n", words[0]);
    return 2;
  }
  root = words[1];
  delay = (useconds_t)atoi(words[3]);
  struct fuse_operations calls = {
      .init = slow_init, .getattr = slow_getattr, .open = slow_open,
      .read = slow_read, .release = slow_release, .readdir = slow_readdir,
  };
  char *arguments[] = {words[0], words[2], "-f", "-o", "max_threads=128,ro,default_permissions", NULL};
  return fuse_main(5, arguments, &calls, NULL);
}
