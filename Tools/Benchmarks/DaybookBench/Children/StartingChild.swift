import Foundation

/// Starts this program again as another process.
///
/// - Parameter arguments: The name of a hidden subcommand, and its arguments.
/// - Returns: The process, and what it prints.
func startingChild(_ arguments: [String]) throws -> (Process, output: FileHandle) {
  let process = Process()
  process.executableURL = Bundle.main.executableURL
  process.arguments = arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  try process.run()
  // Without this process's end of the pipe, reading ends with the child.
  try pipe.fileHandleForWriting.close()
  return (process, pipe.fileHandleForReading)
}
