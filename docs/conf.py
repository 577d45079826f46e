"""Settings of the site: `make site` builds it, with warnings as errors."""

import inspect
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from compgen_keras import __version__

project = "compgen_keras"
author = "the compgen_keras authors"
release = __version__
html_title = "compgen_keras"

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode", "sphinx_copybutton"]
html_theme = "furo"
html_show_copyright = False
html_show_sourcelink = False

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"
nb_merge_streams = True

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "show-inheritance": False}
napoleon_numpy_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
napoleon_custom_sections = [("Call arguments", "params_style"), "Items", "Reference"]
default_role = "code"
highlight_language = "text"


def signature_of_constructor(app, what, name, obj, options, signature, return_annotation):
    """Keras's layers and models hide the arguments of their constructor."""
    if what == "class" and signature == "(*args, **kwargs)":
        parameters = list(inspect.signature(obj.__init__).parameters.values())[1:]
        return str(inspect.Signature(parameters)), return_annotation
    return None


def setup(app):
    app.connect("autodoc-process-signature", signature_of_constructor)
