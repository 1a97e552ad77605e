#if Command

import ArgumentParser
import Daybook

struct ValueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "value", abstract: "Write the bytes of a large value.",
    discussion: """
      A value of more than 64 KiB is shown by its SHA-256 and its size, as in {"sha256": "...", "size": 1500000}. This \
      command writes its bytes, after checking them. A file gets its name when all of it is written.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The SHA-256 of the value, in 64 hexadecimal digits.")
  var sha256: String

  @Argument(help: "The file; standard output if it is left out, or -.", completion: .file())
  var file: String?

  func run() throws {
    guard let digest = Digest(sha256) else {
      throw ValidationError("“\(sha256)” is not a SHA-256 in 64 hexadecimal digits.")
    }
    try arguments.withStore { store in
      guard let value = try store.largeValue(digest) else {
        throw StoreError(
          .notFound, "The store has no large value \(digest).", advice: "`daybook get` shows the digests of an object.")
      }
      guard let file, file != "-" else { return try value.forEachChunk { try Console.standard.write($0) } }
      let output = try NewFile(file)
      do {
        try value.forEachChunk { try output.write($0) }
        try output.finish()
      } catch {
        output.discard()
        throw error
      }
    }
  }
}

#endif
