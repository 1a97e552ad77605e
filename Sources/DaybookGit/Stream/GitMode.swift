/// The kind of entry at a path, in the six digits that `git ls-tree` prints.
///
/// There is no case for a folder (`040000`): a stream names a folder only by a tree's hash, whose entries it does not
/// contain.
package enum GitMode: UInt32, Hashable, Sendable, CaseIterable {
  case file = 0o100644
  case executable = 0o100755
  case symbolicLink = 0o120000
  case submodule = 0o160000

  /// Reads the octal digits of a stream or of a store.
  ///
  /// Like `git fast-import`, it accepts `644` and `755` for the long forms; the group-writable `100664` of old
  /// repositories becomes `100644`, as in `git ls-tree`.
  package init?(_ digits: some Collection<UInt8>) {
    guard (1...6).contains(digits.count) else { return nil }
    var value: UInt32 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { return nil }
      value = value << 3 | UInt32(digit - UInt8(ascii: "0"))
    }
    switch value {
    case 0o644, 0o100664: self = .file
    case 0o755: self = .executable
    default: self.init(rawValue: value)
    }
  }

  /// Reads the octal digits of a stream or of a store.
  package init?(_ text: String) {
    self.init(text.utf8)
  }
}

extension GitMode: CustomStringConvertible {
  /// The six octal digits, for example `100644`.
  package var description: String {
    switch self {
    case .file: "100644"
    case .executable: "100755"
    case .symbolicLink: "120000"
    case .submodule: "160000"
    }
  }
}
