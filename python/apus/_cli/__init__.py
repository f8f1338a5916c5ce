"""The commands behind `apus.cli`: each takes the parsed arguments and returns the exit status."""
