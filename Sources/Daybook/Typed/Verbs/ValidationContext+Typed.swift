extension ValidationContext: Reading {}
