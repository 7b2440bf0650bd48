"""What trainers of several libraries share: loss, advantages, sparse layers, passes and workers."""
