import DaybookEngine

extension StoreError {
  package init(unknownProjection name: String) {
    self.init(
      .notFound, "This program does not know a projection “\(name)”.",
      advice: "Give it in the options of the store, or use the program that has it.")
  }

  package init(_ stop: ProjectionRecord.Stop, of name: String) {
    self.init(
      .projectionStopped, "The projection \(name) has stopped at commit \(stop.position): \(stop.reason)",
      advice: "Skip the commit, or mend the projection and retry it.")
  }

  init(missingProjection name: String) {
    self.init(.notFound, "The store has no projection “\(name)”.", advice: .listProjections)
  }

  init(missingTable table: String, of name: String) {
    self.init(
      .damaged, "The table \(table) of the projection \(name) is missing.",
      advice: "Let a program that knows the projection catch up with it, which builds the rows again.")
  }

  init(_ projection: any Projection, behind version: UInt64) {
    self.init(
      .newerFormat,
      "The store has version \(version) of the projection \(projection.name); this program knows \(projection.version).",
      advice: "Update the program.")
  }
}
