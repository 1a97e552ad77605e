#if Macros

import DaybookMacros

// Two versions of a model, from the article about modelling.

enum Version1 {
  @Entity struct Errand {
    @Name var name: String
    var isDone = false
  }
}

enum Version2 {
  @Entity struct Errand {
    @Name @Attribute(renamedFrom: "name") var title: String
    var isDone = false
    var minutes = 10
  }
}

#endif
