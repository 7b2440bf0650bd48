"""`polytrix table`: a table in the browser. Needs the extra `table`."""
