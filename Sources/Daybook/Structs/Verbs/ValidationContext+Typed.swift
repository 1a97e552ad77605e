import DaybookRuntime

extension ValidationContext: ObjectReader {}
