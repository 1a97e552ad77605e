import DecoderChecks

/// Lets libFuzzer look for bytes that make a decoder trap, or that do not come back as they were taken.
///
///     DaybookFuzz TARGET [OPTIONS AND FOLDERS OF LIBFUZZER]
///
/// `Tools/fuzz` builds and runs it.
@main
enum DaybookFuzz {
  /// The decoder under test; set before the fuzzer begins.
  nonisolated(unsafe) private static var check = DecoderCheck.json

  static func main() {
    var arguments = CommandLine.arguments
    guard arguments.count > 1, let check = DecoderCheck(rawValue: arguments.remove(at: 1)) else {
      return print("DaybookFuzz: give one of " + DecoderCheck.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self.check = check
    var count = CInt(arguments.count)
    var list: [UnsafeMutablePointer<CChar>?] =
      arguments.map { argument in
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: argument.utf8.count + 1)
        for (index, byte) in argument.utf8.enumerated() { text[index] = CChar(bitPattern: byte) }
        text[argument.utf8.count] = 0
        return text
      } + [nil]
    list.withUnsafeMutableBufferPointer { buffer in
      var pointer = buffer.baseAddress
      _ = runFuzzer(&count, &pointer) { bytes, size in
        let input = Array(UnsafeBufferPointer(start: bytes, count: size))
        do {
          try DaybookFuzz.check.run(input)
        } catch {
          fatalError("\(error)")
        }
        return 0
      }
    }
  }
}

/// libFuzzer's loop, for programs that have a `main` of their own.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
