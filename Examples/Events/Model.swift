import DaybookMacros

@Entity struct Event {
  @Index var time: Timestamp
  @Name @Attribute(.length(...200)) var title: String
}
