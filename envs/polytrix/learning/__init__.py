"""What trainers of several libraries share: decisions, advantages, loss, sparse layers, passes and workers."""
