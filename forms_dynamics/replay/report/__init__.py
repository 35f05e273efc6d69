"""What a replay found, for people: one HTML file that stands alone, and the same as JSON."""

from forms_dynamics.replay.report.content import best_run, report_json
from forms_dynamics.replay.report.page import report_html

__all__ = ["best_run", "report_html", "report_json"]
