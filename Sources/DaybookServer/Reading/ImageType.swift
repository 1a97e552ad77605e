#if Server

/// A format of images that browsers show and that holds no script.
enum ImageType: String {
  case png, jpeg, gif, webp

  /// Returns the format of a file from its first bytes, or `nil` for any other file.
  init?(_ bytes: [UInt8]) {
    func begins(with start: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: start) }
    if begins(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if begins(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins(with: Array("GIF87a".utf8)) || begins(with: Array("GIF89a".utf8)) {
      self = .gif
    } else if begins(with: Array("RIFF".utf8)), begins(with: Array("WEBP".utf8), at: 8) {
      self = .webp
    } else {
      return nil
    }
  }

  var mediaType: String { "image/\(rawValue)" }
}

#endif
