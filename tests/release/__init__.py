"""What `make release` runs, with the package as users get it. `make test` leaves it out."""
