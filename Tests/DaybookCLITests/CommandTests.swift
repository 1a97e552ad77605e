import Testing

@testable import DaybookCLI

@Suite struct CommandTests {
  @Test func theCommandHasTheProductsName() {
    #expect(DaybookCommand.configuration.commandName == "daybook")
  }
}
