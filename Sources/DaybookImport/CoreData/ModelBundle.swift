#if Import

import Foundation

/// The versions of a model: a bundle `.xcdatamodeld`, or a single version of it.
package struct ModelBundle: Sendable {
  /// The path, for messages.
  package let path: String
  /// The versions that can be read, sorted by the numbers in their names: the oldest first.
  package let versions: [Version]
  /// The versions in Xcode's old form, which cannot be read.
  package let oldVersions: [String]
  /// The versions with errors, which matter only where such a version is needed.
  package let faults: [String: ImportError]
  /// The name of the current version; `nil` for several versions without a file that names one.
  package let currentName: String?

  package struct Version: Sendable {
    package let name: String
    package let lookup: SourceLookup
  }

  /// Reads a bundle, a version (`.xcdatamodel`) or its file `contents`.
  ///
  /// - Throws: ``ImportError`` for a path without a model, a compiled model, and a single version that cannot be read.
  package init(_ path: String) throws(ImportError) {
    let url = URL(fileURLWithPath: path)
    try ModelBundle.refuseCompiled(path, url.pathExtension.lowercased())
    self.path = path
    guard FileBytes.isDirectory(path) else {
      let version = try Version(name: ModelBundle.name(of: url), contents: path)
      (versions, oldVersions, faults, currentName) = ([version], [], [:], version.name)
      return
    }
    let names = try ModelBundle.versionNames(in: path)
    if names.isEmpty {
      let name = url.deletingPathExtension().lastPathComponent
      guard FileBytes.exists(path + "/contents") else { throw ModelBundle.missingContents(path) }
      let version = try Version(name: name, contents: path + "/contents")
      (versions, oldVersions, faults, currentName) = ([version], [], [:], name)
      return
    }
    var (versions, oldVersions, faults): ([Version], [String], [String: ImportError]) = ([], [], [:])
    for name in names {
      let contents = "\(path)/\(name).xcdatamodel/contents"
      guard FileBytes.exists(contents) else {
        oldVersions.append(name)
        continue
      }
      do {
        versions.append(try Version(name: name, contents: contents))
      } catch {
        faults[name] = error
      }
    }
    (self.versions, self.oldVersions, self.faults) = (versions, oldVersions, faults)
    currentName = try ModelBundle.currentName(in: path, names)
  }

  /// The current version.
  ///
  /// - Throws: ``ImportError`` if it is in the old form or has an error, or the bundle does not name it.
  package func current() throws(ImportError) -> Version {
    guard let currentName else {
      throw ImportError(
        .usage,
        "\(path) has several versions and no file .xccurrentversion; name the version with --version, or use the "
          + "path of one .xcdatamodel")
    }
    return try version(currentName)
  }

  /// Returns a version by its name.
  ///
  /// - Throws: ``ImportError`` for a name that the bundle lacks, or a version in the old form or with an error.
  package func version(_ name: String) throws(ImportError) -> Version {
    if let version = versions.first(where: { $0.name == name }) { return version }
    if let fault = faults[name] { throw fault }
    if oldVersions.contains(name) {
      throw ImportError(
        .usage,
        "\(path): the version “\(name)” is in the form of Xcode 3 (`elements`), which cannot be read; open it in "
          + "Xcode and save it again, or name another version with --version")
    }
    throw ImportError(
      .usage, "\(path) has no version “\(name)”; it has \((versions.map(\.name) + oldVersions).joined(separator: ", "))"
    )
  }
}

extension ModelBundle.Version {
  fileprivate init(name: String, contents: String) throws(ImportError) {
    let bytes = try FileBytes.read(contents, atMost: XMLNode.maximumSizeInBytes)
    let model = try ModelFileReader.read(bytes, name: name, origin: contents)
    self.init(name: name, lookup: try SourceLookup(model, origin: contents))
  }
}

// MARK: - Files

extension ModelBundle {
  private static func refuseCompiled(_ path: String, _ type: String) throws(ImportError) {
    guard ["mom", "momd", "omo"].contains(type) else { return }
    throw ImportError(
      .usage,
      "\(path) is a compiled model; use the .xcdatamodeld from which it was compiled, or omit --model, because "
        + "a store carries its model")
  }

  private static func missingContents(_ path: String) -> ImportError {
    if FileBytes.exists(path + "/elements") {
      return ImportError(
        .usage,
        "\(path) is in the form of Xcode 3 (`elements`), which cannot be read; open it in Xcode and save it again")
    }
    let reason = FileBytes.exists(path) ? "has neither versions nor a file `contents`" : "does not exist"
    return ImportError(.usage, "\(path) \(reason); use an .xcdatamodeld, an .xcdatamodel or its file `contents`")
  }

  /// Returns the name of a single version: its directory's, or the file's own.
  private static func name(of url: URL) -> String {
    let directory = url.deletingLastPathComponent()
    let isInside = url.lastPathComponent == "contents" && directory.pathExtension == "xcdatamodel"
    return (isInside ? directory : url).deletingPathExtension().lastPathComponent
  }

  /// Returns the names of a bundle's versions in their order: by the numbers in them, then by name.
  private static func versionNames(in path: String) throws(ImportError) -> [String] {
    let files: [String]
    do {
      files = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw ImportError(unreadable: path, error)
    }
    let suffix = ".xcdatamodel"
    return files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted { a, b in
      let (first, second) = (numbers(in: a), numbers(in: b))
      return first == second ? CompiledModelReader.precedes(a, b) : first.lexicographicallyPrecedes(second)
    }
  }

  private static func numbers(in name: String) -> [Int] {
    name.split { !($0.isASCII && $0.isNumber) }.map { Int($0) ?? .max }
  }

  /// Returns the name in `.xccurrentversion`; without the file the name of the only version, or `nil`.
  private static func currentName(in path: String, _ names: [String]) throws(ImportError) -> String? {
    let file = path + "/.xccurrentversion"
    guard FileBytes.exists(file) else {
      return names.count == 1 ? names[0] : nil
    }
    let bytes = try FileBytes.read(file, atMost: 1 << 20)
    guard let name = try currentName(in: bytes, file) else {
      throw ImportError(.data, "\(file) names no version; choose the current version in Xcode, or restore the file")
    }
    let current = name.hasSuffix(".xcdatamodel") ? String(name.dropLast(".xcdatamodel".count)) : name
    guard names.contains(current) else {
      throw ImportError(
        .data, "\(file) names the version “\(current)”, which \(path) lacks; restore it from the repository")
    }
    return current
  }

  private static func currentName(in bytes: [UInt8], _ file: String) throws(ImportError) -> String? {
    let key = "_XCCurrentVersionName"
    if BinaryPlist.isLikely(bytes) {
      let list = try BinaryPlist(bytes, name: file)
      guard case .dictionary(let keys, let values) = try list.object(list.top) else { return nil }
      for (name, value) in zip(keys, values) where try list.object(name) == .string(key) {
        if case .string(let text) = try list.object(value) { return text }
      }
      return nil
    }
    guard let dictionary = try XMLNode.read(bytes, name: file).children("dict").first else { return nil }
    let entries = dictionary.children
    for (name, value) in zip(entries, entries.dropFirst()) where name.name == "key" && name.text == key {
      return value.name == "string" ? value.text : nil
    }
    return nil
  }
}

#endif
