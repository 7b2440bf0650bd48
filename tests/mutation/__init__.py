"""Mutation campaigns: Cosmic Ray plants small mistakes in the package, one at a time; the tests must notice.

`__main__.py` draws a sample, `equivalent.toml` names mutants that no test can tell from the original.
docs/campaigns.md has the results.
"""
