"""What an algorithm of the benchmark gets, and our training scripts as algorithms."""
