/// The exit statuses of the command besides 0, and the 64 of ArgumentParser for wrong usage.
enum ExitStatus {
  /// The store refused the command.
  static let refused: Int32 = 1
  /// Input or output failed.
  static let inputOutput: Int32 = 74
}
