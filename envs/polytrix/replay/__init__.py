"""Games to look at again: one data structure, the page that shows it, and the same in a notebook."""
