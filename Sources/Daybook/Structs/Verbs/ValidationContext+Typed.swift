import DaybookRuntime

extension ValidationContext: Reading {}
