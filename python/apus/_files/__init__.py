"""What `apus.session_files` is made of: framing, shapes of records, and the unwrapping of files of other tools."""
