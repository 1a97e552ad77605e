/// The version of Daybook, as the command, the description of the server and the changelog state it.
package enum DaybookVersion {
  package static let current = "0.1.0"
}
