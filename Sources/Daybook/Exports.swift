// Exported so that `import Daybook` is sufficient: the interface uses values of these modules.
@_exported public import DaybookDiff
@_exported public import DaybookEngine
@_exported public import DaybookModel
@_exported public import DaybookQuery
@_exported public import DaybookRuntime
