"""The interfaces of trainers of language models, played by scripted models: `python -m tests.trainers`."""
