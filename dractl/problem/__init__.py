"""What has to be decided, finished: demands, candidates and rules, with nothing left to parse, compile or look up."""
