import DaybookTestSupport
import LMDB
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@Suite(.hangLimit) struct PageCheckTests {
  let directory = TemporaryDirectory()

  /// Fills an environment with overflow pages, deep trees, free pages and dropped tables.
  private func fill(_ generator: inout SeededRandom, rounds: Int) throws -> Environment {
    let environment = try Environment.temporary(directory)
    for round in 0..<rounds {
      try environment.write { transaction in
        let table = try transaction.createTable("table \(round % 4)")
        for _ in 0..<Int.random(in: 1...300, using: &generator) {
          let key = randomKey(&generator) + bytes(Int.random(in: 0..<500, using: &generator))
          let longest = Int.random(in: 0..<15, using: &generator) == 0 ? 20_000 : 100
          if Int.random(in: 0..<4, using: &generator) == 0 {
            _ = try transaction.delete(key, in: table)
          } else {
            try transaction.put(key, randomValue(&generator, longest: longest), in: table)
          }
        }
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: try transaction.clear(table)
        case 1: try transaction.drop(table)
        default: break
        }
      }
    }
    return environment
  }

  @Test func `files that LMDB wrote are sound at every commit`() throws {
    try SeededRandom.run { generator in
      for rounds in [0, 1, 2, 3, 5, 8, 20] {
        let environment = try fill(&generator, rounds: rounds)
        let beside = try environment.checkPages()
        try #require(beside.faults == [])
        let names = try environment.read { try $0.tableNames() }
        for table in try environment.openTables(names).compactMap(\.self) {
          let count = try environment.read { try $0.entryCount(in: table) }
          try #require(beside.entryCounts[table.name] == count)
        }
        try #require(beside.leakedPageCount == 0)
        environment.close()
        let check = try PageCheck.check(fileAt: directory.dataFile)
        try #require(check == beside)
      }
    }
  }

  @Test func `a transaction of many pages, long lists of free pages and deep trees are sound`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.write { transaction in
      for index in 0..<100_000 {
        let key = bytes(index &* 7919 % 100_003) + [UInt8](repeating: 1, count: 100)
        try transaction.put(key, [UInt8](repeating: 1, count: 600), in: table)
      }
    }
    try environment.write { transaction in
      for index in 0..<100_000 where index % 3 != 0 {
        _ = try transaction.delete(bytes(index) + [UInt8](repeating: 1, count: 100), in: table)
      }
    }
    try environment.write { try $0.put(bytes("large"), [UInt8](repeating: 2, count: 30_000_000), in: table) }
    let check = try environment.checkPages()
    #expect(check.faults == [])
    #expect(check.freePageCount > 5000)
    #expect(check.usedPageCount > 7000)
    try environment.write { try $0.clear(table) }
    #expect(try environment.checkPages().faults == [])
  }

  @Test func `the pages of a commit can be checked beside a busy writer`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    let writer = Thread {
      for round in 0..<300 {
        try! environment.write { transaction in
          for index in 0..<20 {
            try transaction.put(bytes(index * 37 % 101), [UInt8](repeating: UInt8(round % 256), count: 500), in: table)
          }
        }
      }
    }
    for _ in 0..<50 {
      let faults = try environment.checkPages().faults
      #expect(faults == [])
    }
    writer.join()
  }

  @Test func `files that are none are faulty, whatever they hold`() throws {
    for size in [0, 1, 100, 151, 152, 4095, 4096, 4248, 8192, 100_000] {
      for byte in [UInt8(0), 0xFF, 8] {
        try write([UInt8](repeating: byte, count: size))
        #expect(try !PageCheck.check(fileAt: directory.dataFile).isSound)
      }
    }
  }

  @Test func `structural damage is found`() throws {
    try SeededRandom.run { generator in
      let environment = try fill(&generator, rounds: 25)
      environment.close()
      let sound = try read()
      let used = try usedPages(20, &generator)
      var missed: [String] = []
      func check(_ name: String, _ change: (inout [UInt8]) -> Void) throws {
        var damaged = sound
        change(&damaged)
        try write(damaged)
        if try damaged != sound && PageCheck.check(fileAt: directory.dataFile).isSound { missed.append(name) }
      }
      for page in used {
        let range = page * 4096..<(page + 1) * 4096
        let other = used.filter { $0 != page }.randomElement(using: &generator) ?? page
        try check("zeroed page \(page)") { $0.replaceSubrange(range, with: [UInt8](repeating: 0, count: 4096)) }
        try check("page \(page) replaced by page \(other)") {
          $0.replaceSubrange(range, with: sound[other * 4096..<(other + 1) * 4096])
        }
        try check("file cut before page \(page)") { $0.removeSubrange(range.lowerBound...) }
        // Number, flags and bounds.
        for offset in [0, 1, 7, 10, 11, 12, 13] {
          try check("header byte \(offset) of page \(page)") { $0[range.lowerBound + offset] ^= 0x41 }
        }
      }
      #expect(missed == [])
    }
  }

  @Test func `pages in each other's place are found, although each is right by itself`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.write { for index in 0..<2000 { try $0.put(bytes(index), bytes(index), in: table, mode: .append) } }
    environment.close()
    var file = try read()
    // The flags mark the leaf pages; the largest belong to the tree with the entries.
    func lower(_ page: Int) -> Int { Int(file[page * 4096 + 12]) | Int(file[page * 4096 + 13]) << 8 }
    let leaves = (2..<file.count / 4096).filter { file[$0 * 4096 + 10] == 2 && lower($0) > 100 }
    try #require(leaves.count > 3)
    let (first, second) = (leaves[1] * 4096, leaves[2] * 4096)
    // The pages keep their numbers.
    let contents = Array(file[first + 8..<first + 4096])
    file.replaceSubrange(first + 8..<first + 4096, with: file[second + 8..<second + 4096])
    file.replaceSubrange(second + 8..<second + 4096, with: contents)
    try write(file)
    let faults = try PageCheck.check(fileAt: directory.dataFile).faults
    #expect(faults.count == 2)
    #expect(faults.allSatisfy { $0.what.contains("belongs to another page") })
  }

  /// The check never ends by a signal, and a damaged file that passes it can be used in full.
  @Test func `a damaged file is either reported or harmless`() throws {
    try SeededRandom.run { generator in
      let environment = try fill(&generator, rounds: 15)
      environment.close()
      let sound = try read()
      var found = 0
      for _ in 0..<300 {
        var damaged = sound
        damage(&damaged, &generator)
        try write(damaged)
        guard try PageCheck.check(fileAt: directory.dataFile).isSound else {
          found += 1
          continue
        }
        try use()
      }
      print("\(found) of 300 damages were found")
      #expect(found > 60)
    }
  }

  @Test func `no more faults are reported than asked for`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.write {
      for index in 0..<10_000 { try $0.put(bytes(index), [UInt8](repeating: 1, count: 400), in: table) }
    }
    environment.close()
    var damaged = try read()
    // Leaf pages.
    for page in 100..<500 where damaged[page * 4096 + 10] == 2 { damaged[page * 4096 + 10] = 0 }
    try write(damaged)
    let check = try PageCheck.check(fileAt: directory.dataFile, maximumFaultCount: 3)
    #expect(try PageCheck.check(fileAt: directory.dataFile).faults.count > 300)
    #expect(check.faults.allSatisfy { $0.description.hasPrefix("page ") })
    #expect(check.faults.count == 3)
  }

  private func damage(_ file: inout [UInt8], _ generator: inout SeededRandom) {
    let page = Int.random(in: 0..<file.count / 4096, using: &generator) * 4096
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: file.replaceSubrange(page..<page + 4096, with: [UInt8](repeating: 0, count: 4096))
    case 1: file.removeSubrange(Int.random(in: 0..<file.count, using: &generator)...)
    case 2:
      let other = Int.random(in: 0..<file.count / 4096, using: &generator) * 4096
      file.replaceSubrange(page..<page + 4096, with: file[other..<other + 4096])
    case 3: file[Int.random(in: 0..<160, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 4: file[4096 + Int.random(in: 0..<160, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 5...7:
      // The bytes of headers and pointers.
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        file[page + Int.random(in: 0..<64, using: &generator)] = UInt8.random(in: .min ... .max, using: &generator)
      }
    default:
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        file[Int.random(in: 0..<file.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
    }
  }

  /// Reads all rows of a file, changes many, and checks it again.
  private func use() throws {
    let environment = try Environment.temporary(directory)
    let names = try environment.read { try $0.tableNames() }.filter { !$0.utf8.contains(0) && !$0.contains("\u{FFFD}") }
    for table in try environment.openTables(names).compactMap(\.self) {
      let entries = try environment.read { try $0.entries(in: table) }
      #expect(zip(entries, entries.dropFirst()).allSatisfy { precedes($0[0], $1[0]) })
      try environment.write { transaction in
        for (index, entry) in entries.enumerated() where index % 2 == 0 {
          _ = try transaction.delete(entry[0], in: table)
        }
        for index in 0..<100 { try transaction.put(bytes(index), [UInt8](repeating: 1, count: 300), in: table) }
      }
      try environment.write { try $0.drop(table) }
    }
    #expect(try environment.checkPages().faults == [])
    environment.close()
  }

  /// Returns some pages that trees use, found by checking the file with each page damaged.
  private func usedPages(_ count: Int, _ generator: inout SeededRandom) throws -> [Int] {
    let sound = try read()
    var used: [Int] = []
    for page in (2..<sound.count / 4096).shuffled(using: &generator) where used.count < count {
      var damaged = sound
      // A wrong page number is detected on every page except the later ones of an overflow run.
      damaged[page * 4096 + 7] ^= 0x80
      try write(damaged)
      if try !PageCheck.check(fileAt: directory.dataFile, maximumFaultCount: 1).isSound { used.append(page) }
    }
    try write(sound)
    return used
  }

  private func read() throws -> [UInt8] {
    let file = try RawFile(at: directory.dataFile)
    return try file.read(at: 0, count: file.sizeInBytes)
  }

  private func write(_ bytes: [UInt8]) throws {
    // In place: an open file keeps its identity.
    let file = try #require(fopen(directory.dataFile, "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
  }
}
