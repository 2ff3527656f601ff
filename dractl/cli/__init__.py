"""The command line: the only room that opens files, reads standard input, prints and exits."""
