"""The notebooks' views of a run: its steps, prompts and costs, and small charts."""

from g2c.widgets.charts import bar_chart, interval_chart, line_chart
from g2c.widgets.growth import prompt_growth
from g2c.widgets.heat import disagreement_map
from g2c.widgets.refinement import refinement_rounds
from g2c.widgets.tables import runs_table, stop_table
from g2c.widgets.ticks import tick_bars, tick_table
from g2c.widgets.trace import LiveTrace
from g2c.widgets.view import Markdown

__all__ = [
    "LiveTrace",
    "Markdown",
    "bar_chart",
    "disagreement_map",
    "interval_chart",
    "line_chart",
    "prompt_growth",
    "refinement_rounds",
    "runs_table",
    "stop_table",
    "tick_bars",
    "tick_table",
]
