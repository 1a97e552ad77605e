// A disk between a program and its files: it writes down what is asked of it, and fails when it is told to.
//
// It is a library to preload (LD_PRELOAD), whose `write`, `pwrite`, `writev`, `pwritev`, `fsync`, `fdatasync`, `ftruncate`,
// `open`, `mkdir`, `rename`, `renameat2`, `unlink` and `rmdir` stand before those of the C library. Only files below one
// directory matter; `lock.mdb`, which means nothing after a crash, does not. The environment says what to do:
//
// FAULTY_DISK_ROOT     the directory, without symbolic links and without a slash at its end
// FAULTY_DISK_LOG      a file to write all calls to, and what the program prints
// FAULTY_DISK_FAILURE  `NUMBER error|short ERRNO once|always`: which call fails, from 1, of those that write or flush and
//                      come after the program has printed `begin`; and if so, whether all that come later do. With `short`
//                      a half of the bytes is written; a call that writes none fails.
//
// The log is a sequence of records. A record is its kind, a letter; then, little-endian, the file's number (8 bytes), an
// offset or a size (8), the lengths of two texts (4 and 4); then the texts. The kinds:
//
// c  a file is created: its path
// t  a file gets another size
// w  bytes are written: nothing, and the bytes
// s  a file is flushed
// d  a directory is flushed: its path
// m  a directory is made: its path
// r  something gets another name: both paths
// u  a file or directory is removed: its path
// p  the program prints: nothing, and what
// x  a call fails: the path of its file, and the kind of its record
//
// Paths are relative to the directory. A write through a descriptor with O_SYNC or O_DSYNC is followed by a record of
// kind s.

#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

/// A symbol to know the library by.
extern const int faulty_disk_version;

#endif
