/// `import DaybookMacros` brings all of Daybook.
@_exported import Daybook
