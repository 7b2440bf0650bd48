"""Tests of training."""

import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")
