import DaybookTools
import Testing

/// The recognition of other programs' files.
@Suite(.hangLimit) struct ForeignFileTests {
  @Test(arguments: [
    ("SQLite format 3\0\u{10}", "import coredata"), ("SQLite format 3\0\u{10}", "import sqlite"),
    ("\u{feff}<?xml version=\"1.0\"?>\n<model type=\"com.apple\">", "import coredata"),
    ("<model userDefinedModelVersionIdentifier=\"\">", "import coredata"), ("[{\"name\": \"a\"}]", "import json"),
    ("  [", "import json"), ("name,age\nAda,36", "import csv"), ("\u{feff}name;age", "import csv"),
    ("name\tage", "import csv"),
  ]) func aFileOfAnotherProgramHasAnImport(text: String, command: String) {
    #expect(ForeignFile.advice(for: Array(text.utf8))?.contains("daybook \(command) --help") == true)
  }

  @Test(arguments: ["", " ", "{\"entities\": [], \"a\": 1}", "{,", "name", "\0\u{1}"])
  func otherBytesHaveNone(text: String) {
    #expect(ForeignFile.advice(for: Array(text.utf8)) == nil)
  }
}
