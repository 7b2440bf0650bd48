"""What several training scripts share."""
