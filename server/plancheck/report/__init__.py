"""The report of a document: all that was found, what could not be checked, and what the plan comes to."""
