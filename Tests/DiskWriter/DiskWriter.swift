import Foundation

/// The process that works on a failing disk, and the process that checks it.
///
///     DiskWriter write ROOT SEED full|relaxed|replicated
///     DiskWriter reopen ROOT SEED full|relaxed
///     DiskWriter fail ROOT SEED
///     DiskWriter check ROOT BOOT OUTCOMES LOSS
///
/// All files are below the directory ROOT: the store and its backups. `write` creates a store and works on it, `reopen`
/// creates one, and opens and rebuilds it after every few commits, `fail` creates one, prints `begin` and works on it until
/// the outcome of a commit is unknown; all print the outcome of each commit: `done NUMBER POSITION`, `not NUMBER CODE` or `unknown NUMBER`. `check` opens the store as another run of the
/// operating system and compares it with such lines, from the file OUTCOMES; the last LOSS of the completed commits may
/// be missing. It prints `lost COUNT, projections kept|new`, or the fault, and then ends with status 1.
@main
struct DiskWriter {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("write", 4), ("reopen", 4):
      guard let seed = UInt64(arguments[2]) else { break }
      let work = try DiskWork(
        root: arguments[1], seed: seed, durability: arguments[3] == "relaxed" ? .relaxed : .full,
        isReplicated: arguments[3] == "replicated")
      return try arguments[0] == "write" ? work.run(steps: 40) : work.runReopening()
    case ("fail", 3):
      guard let seed = UInt64(arguments[2]) else { break }
      let work = try DiskWork(root: arguments[1], seed: seed, durability: .full)
      say("begin")
      return try work.runOnFailingDisk(steps: 12)
    case ("check", 5):
      guard let loss = Int(arguments[4]) else { break }
      let check = DiskCheck(root: arguments[1], boot: arguments[2], outcomes: try Outcomes(file: arguments[3]))
      return try check.run(allowingLossOf: loss)
    default: break
    }
    say("DiskWriter: wrong arguments")
    exit(64)
  }
}

/// Prints a line at once.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
