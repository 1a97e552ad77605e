/// The jobs about memory and disk.
extension JobBuilder {
  func memory() -> Job {
    Job(
      name: "memory",
      summary: "the memory of a process that has written \(grouped(settings.rows)) objects and keeps one live result, "
        + "pages of files excluded",
      unit: "object", contestants: [DaybookMemory(settings: settings)],
      targets: [Target(measure: .figure(.restingBytes), bound: 40 * 1_048_576)])
  }

  func readerGrowth() -> Job {
    let without = "Daybook, no reader"
    func contestant(_ name: String, _ reader: DaybookReaderGrowth.Reader) -> DaybookReaderGrowth {
      DaybookReaderGrowth(workload, name: name, reader, count: settings.commits, settings: settings)
    }
    return Job(
      name: "reader-growth",
      summary: "\(grouped(settings.commits)) durable commits of one update, after \(settings.readerWaitInSeconds) s of "
        + "commits beside a reader in another process",
      unit: "commit",
      contestants: [
        contestant(without, .none), contestant("Daybook", .killed), contestant("Daybook, live reader", .live),
      ],
      targets: [Target(measure: .figureComparedWith(.fileBytesPerCommit, without), bound: 1.5)])
  }
}
