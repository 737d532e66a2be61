"""The documentation site. `make docs` builds it in build/site.

The pages are the documents, the notebooks, the regulations clause by clause, the PAR sheet of each
sample submission, a shoe to replay, questions of a drill, and a reference of the docstrings. No
page asks anything of another site, and a broken link ends the build: see the modules of `_site`.
"""

import sys
from pathlib import Path

from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent))

from _site import accessible, laws, links, menu, notebooks, par_sheets, reference, search, see

project = "Croupier"
author = "the Croupier project"
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_title = "Croupier"
html_theme = "furo"
html_static_path = ["_static"]
html_additional_pages = {"search": "search.html"}
templates_path = ["_templates"]
html_css_files = ["croupier.css"]
html_theme_options: dict[str, object] = {"top_of_page_buttons": []}

extensions = ["myst_parser", "autoapi.extension"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block"]
exclude_patterns = ["schemas", "_site", "_templates"]
# Output that no lexer knows is shown as it is; packages without a reference are not read.
suppress_warnings = ["misc.highlighting_failure", "autoapi.python_import_resolution"]

autoapi_root = "api"
autoapi_dirs = ["../src/croupier"]
autoapi_ignore = list(reference.ignored())
autoapi_add_toctree_entry = False
autoapi_member_order = "groupwise"
autoapi_options = ["members", "show-inheritance", "show-module-summary"]
autoapi_python_class_content = "class"


def setup(app: Sphinx) -> None:
    """Make the pages that no document has, and check what came of all of them."""
    for part in (accessible, laws, links, menu, notebooks, par_sheets, reference, search, see):
        part.setup(app)
