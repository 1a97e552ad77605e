/// Re-exports Daybook with `import DaybookMacros`.
@_exported import Daybook
