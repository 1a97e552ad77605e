#if Command

import DaybookTestSupport
import Foundation
import Testing

/// Hierarchies of entities by the command.
@Suite("Hierarchies by the command", .hangLimit) struct HierarchyCommandTests {
  private let directory: TemporaryDirectory
  private var store: String { directory.path("garage") }

  private static let model = """
    {"entities": [
      {"name": "Vehicle", "nameAttribute": "name",
       "attributes": [{"name": "name", "type": "string"}, {"name": "wheels", "type": "integer", "default": 4}],
       "indexes": [["name"]]},
      {"name": "Car", "parent": "Vehicle", "attributes": [{"name": "doors", "type": "integer", "default": 5}]},
      {"name": "Truck", "parent": "Vehicle", "abstract": true}]}
    """

  init() throws {
    directory = try TemporaryDirectory()
    let file = directory.path("model.json")
    try Self.model.write(toFile: file, atomically: false, encoding: .utf8)
    _ = try output("init", "--model", file)
    _ = try output("insert", "Vehicle", "name=Cart", "wheels=2")
    _ = try output("insert", "Car", "name=Beetle", "doors=3")
    _ = try output("insert", "Car", "name=Amazon")
  }

  private func output(
    _ command: String, _ arguments: String..., at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try CommandRun([command, store] + arguments)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)", sourceLocation: location)
    return run.output
  }

  @Test("A fetch of the parent has the children's objects, and --only leaves them out")
  func only() throws {
    let all = try output("fetch", "Vehicle", "--sort", "name", "--show", "name, entity")
    #expect(["Amazon", "Beetle", "Cart"].allSatisfy(all.contains))
    #expect(try output("count", "Vehicle").contains("3"))
    #expect(try output("count", "Vehicle", "--only").contains("1"))
    #expect(try output("count", "Vehicle", "--where", "entity == \"Car\"").contains("2"))
    let own = try output("fetch", "Vehicle", "--only")
    #expect(own.contains("Cart") && !own.contains("Beetle"))
  }

  @Test("Sections by entity")
  func sections() throws {
    let json = try output("fetch", "Vehicle", "--sort", "name", "--section", "entity", "--json")
    let (car, cart) = (try #require(json.range(of: "Amazon")), try #require(json.range(of: "Cart")))
    #expect(car.lowerBound < cart.lowerBound && json.contains("\"Car\"") && json.contains("\"Vehicle\""))
  }

  @Test("Objects of an abstract entity are refused, and so is an unknown entity in a filter")
  func refusals() throws {
    let abstract = try CommandRun(["insert", store, "Truck", "name=Atlas"])
    #expect(abstract.status == 1 && abstract.errors.contains("abstract"), "\(abstract.errors)")
    let unknown = try CommandRun(["fetch", store, "Vehicle", "--where", "entity == \"Cart\""])
    #expect(unknown.status == 1 && unknown.errors.contains("Car"), "\(unknown.errors)")
  }

  @Test("The model is printed with parents")
  func printing() throws {
    let lines = try output("model").split(separator: "\n")
    #expect(lines.contains("Car, child of Vehicle") && lines.contains("Truck, child of Vehicle, abstract"), "\(lines)")
    let json = try output("model", "--json")
    #expect(json.contains("\"parent\": \"Vehicle\"") && json.contains("\"abstract\": true"), "\(json)")
  }
}

#endif
