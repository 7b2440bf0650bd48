"""Mutation campaigns: small mistakes are planted in the package, one at a time, and the tests must notice.

    python -m tests.mutation --what quatrix --count 200 --seed 1

`operators.py` knows what can be changed in a source text, `parts.py` which files and tests belong together,
`running.py` runs tests against a changed file, `campaign.py` draws mutants and goes through them,
`record.py` keeps what became of each. `equivalent.toml` lists mutants that no test can tell from the original.
"""
