/// Puts the contestants of each job together. The engine comes first: it is what the tables compare with.
struct JobBuilder {
  let settings: Settings
  let workload: Workload

  init(settings: Settings) {
    self.settings = settings
    workload = Workload(count: settings.rows, timestamps: settings.timestamps)
  }

  var daybook: DaybookContestants { DaybookContestants(settings: settings) }
}
