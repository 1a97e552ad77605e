import Foundation

/// The process that works on a disk which loses power or fails, and the one that looks at what is left.
///
///     DiskWriter write ROOT SEED full|relaxed
///     DiskWriter fail ROOT SEED
///     DiskWriter check ROOT BOOT OUTCOMES LOSS
///
/// All is below the directory ROOT: the store and backups of it. `write` makes a store and works on it, `fail` makes one,
/// prints `begin` and works on it until it is not known whether a commit was made; both say what became of each commit:
/// `done NUMBER POSITION`, `not NUMBER CODE` or `unknown NUMBER`. `check` opens what is there as another run of the
/// operating system and compares it with such lines, those of the file OUTCOMES; the last LOSS of the commits that were
/// done may be missing. It prints `lost COUNT, projections kept|new`, or what is wrong and ends with status 1.
@main
struct DiskWriter {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("write", 4):
      guard let seed = UInt64(arguments[2]) else { break }
      let work = try DiskWork(root: arguments[1], seed: seed, durability: arguments[3] == "full" ? .full : .relaxed)
      return try work.run(steps: 40)
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
