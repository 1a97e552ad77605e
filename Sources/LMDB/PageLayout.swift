/// The layout of LMDB 0.9's data file, as its headers describe it.
enum PageLayout {
  static let magic = 0xBEEF_C0DE
  static let version = 1
  static let headerSize = 16
  static let nodeHeaderSize = 8
  static let tableRecordSize = 48
  /// The page sizes that LMDB uses: the system's, but at most 32 KiB.
  static let pageSizes = 4096...32_768
  /// LMDB's limit on a tree's depth.
  static let maximumDepth = 32
  /// The number that stands for no page.
  static let noPage = UInt64.max
  static let metaPageCount = 2

  static let branchFlag = 0x01
  static let leafFlag = 0x02
  static let overflowFlag = 0x04
  static let metaFlag = 0x08

  /// The value is on overflow pages.
  static let bigNodeFlag = 0x01
  /// The value is a table's record.
  static let tableNodeFlag = 0x02

  static let integerKeyFlag = 0x08
  static let noSubdirectoryFlag = 0x4000

  /// The number of overflow pages for a value of a given size.
  static func overflowPageCount(_ size: Int, pageSize: Int) -> Int { (headerSize - 1 + size) / pageSize + 1 }
}

/// LMDB's record of a tree.
struct TableRecord: Equatable {
  var pad = 0
  var flags = 0
  var depth = 0
  var branchPageCount: UInt64 = 0
  var leafPageCount: UInt64 = 0
  var overflowPageCount: UInt64 = 0
  var entryCount: UInt64 = 0
  var root = PageLayout.noPage

  init() {}

  init?(_ bytes: PageBytes, at offset: Int) {
    guard let pad = bytes.uint32(offset), let flags = bytes.uint16(offset + 4), let depth = bytes.uint16(offset + 6),
      let branches = bytes.uint64(offset + 8), let leaves = bytes.uint64(offset + 16),
      let overflows = bytes.uint64(offset + 24), let entries = bytes.uint64(offset + 32),
      let root = bytes.uint64(offset + 40)
    else { return nil }
    self.pad = pad
    self.flags = flags
    self.depth = depth
    branchPageCount = branches
    leafPageCount = leaves
    overflowPageCount = overflows
    entryCount = entries
    self.root = root
  }
}

/// A meta page: the roots of a commit's trees.
struct MetaPage: Equatable {
  let pageNumber: UInt64
  let pageFlags: Int
  let magic: Int
  let version: Int
  let mapSize: UInt64
  let free: TableRecord
  let main: TableRecord
  let lastPage: UInt64
  let transactionID: UInt64

  init?(_ bytes: PageBytes) {
    guard let number = bytes.uint64(0), let flags = bytes.uint16(10), let magic = bytes.uint32(16),
      let version = bytes.uint32(20), let mapSize = bytes.uint64(32), let free = TableRecord(bytes, at: 40),
      let main = TableRecord(bytes, at: 88), let lastPage = bytes.uint64(136), let transaction = bytes.uint64(144)
    else { return nil }
    pageNumber = number
    pageFlags = flags
    self.magic = magic
    self.version = version
    self.mapSize = mapSize
    self.free = free
    self.main = main
    self.lastPage = lastPage
    transactionID = transaction
  }

  static let sizeInBytes = 152

  /// The size of all pages, kept in a field that the tree of free pages does not need.
  var pageSize: Int { free.pad }
}

/// An entry of a branch or leaf page.
struct PageNode {
  /// The offset in the page.
  let offset: Int
  let flags: Int
  let key: ArraySlice<UInt8>
  /// In a branch, the page of the child.
  let child: UInt64
  /// In a leaf, the size of the value, which may be on overflow pages.
  let valueSize: Int
  /// The offset in the page of a leaf's value, or of the number of its first overflow page.
  var valueOffset: Int { key.endIndex }

  init?(_ page: PageBytes, at offset: Int) {
    guard let low = page.uint16(offset), let high = page.uint16(offset + 2), let flags = page.uint16(offset + 4),
      let keyCount = page.uint16(offset + 6), let key = page.slice(offset + PageLayout.nodeHeaderSize, keyCount)
    else { return nil }
    self.offset = offset
    self.flags = flags
    self.key = key
    valueSize = low | high << 16
    child = UInt64(low) | UInt64(high) << 16 | UInt64(flags) << 32
  }

  /// The number of bytes the node occupies in a leaf.
  var sizeInLeaf: Int { sizeInBranch + (flags & PageLayout.bigNodeFlag != 0 ? 8 : valueSize) }
  /// The number of bytes the node occupies in a branch.
  var sizeInBranch: Int { PageLayout.nodeHeaderSize + key.count }
}
