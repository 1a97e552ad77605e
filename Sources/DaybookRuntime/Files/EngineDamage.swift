import LMDB

/// The end of a process whose store is too damaged to be written to.
package enum EngineDamage {
  /// Sets the exit status of this process if the storage engine meets a damaged page while it changes pages.
  ///
  /// It prints what is damaged to standard error before. Reading throws an error instead. A library must not choose the
  /// status of a process: without this call the process ends with a signal.
  package static func endProcess(withStatus status: CInt) { LMDB.endProcess(onDamageWithStatus: status) }
}
