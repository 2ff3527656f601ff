"""One module for each rule; its docstring is what `dractl lint --rule ID` shows."""
