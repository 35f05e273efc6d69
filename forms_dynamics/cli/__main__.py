"""``python -m forms_dynamics.cli`` is ``forms-dynamics``."""

from __future__ import annotations

import sys

from forms_dynamics.cli import main

sys.exit(main())
