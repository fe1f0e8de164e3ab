"""How Sphinx makes the site: `./prodlm.sh docs` runs it over the whole repository.

The pages are the repository's own Markdown and notebooks, in the folders where they lie, so their
links need no translation. What is generated (exercise tables, the API) is made while they are read,
by `docs/extensions/`; nothing is written beside them. Notebooks are shown with their stored outputs
and never run.
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "extensions"))
os.environ["G2C_REFERENCE"] = ""  # the API shows the stubs, whatever was skipped here

project = "g2c"
author = "the authors of g2c"
copyright = "the authors of g2c, MIT licence"

extensions = [
    "myst_nb",  # Markdown and notebooks
    "sphinx.ext.autodoc",  # the API, from docstrings ...
    "sphinx.ext.napoleon",  # ... with "Args:" and "Raises:"
    "sphinx.ext.viewcode",  # its source
    "sphinx.ext.githubpages",  # GitHub Pages serves _static as well
    "sphinx_copybutton",
    "anchors",
    "docstrings",
    "citations",
    "exercises",
    "front",
]

root_doc = "docs/index"
include_patterns = ["docs/**.md", "notebooks/*.ipynb", "maintain/*/README.md", "*.md"]
exclude_patterns = [
    "docs/agent-failure-modes.md",  # the student's own page, shipped empty
    "build",
    "work",
    "archive",
    ".*",
]

nb_execution_mode = "off"
myst_heading_anchors = 4
myst_enable_extensions = ["tasklist"]

autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"
maximum_signature_line_length = 80

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "g2c"
templates_path = ["templates"]
html_static_path = ["site.css"]
html_css_files = ["site.css"]
# A browser lets a page that was opened as a file fetch no others, so its search shows no excerpts.
FROM_FILE = "if (location.protocol === 'file:') DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;"
html_js_files = [(None, {"body": FROM_FILE})]
html_copy_source = False
html_show_sourcelink = False
html_sidebars = {"docs/index": [], "docs/exercises": []}  # they have no pages below them
html_context = {"default_mode": "auto"}  # light or dark as the system is
html_theme_options = {
    "logo": {"text": "g2c"},
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "navbar_persistent": ["try", "search-button"],
    "show_prev_next": True,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "github-dark",
}
