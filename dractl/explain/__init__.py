"""Why a pod does not fit: typed facts with their places; the words are the report's."""
