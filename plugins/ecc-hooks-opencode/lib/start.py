"""What hooks/run starts. Kept this short because a main file is compiled anew on every call."""

import os
import sys

sys.path.insert(0, __file__.replace("\\", "/").rpartition("/")[0])

from hooklib.main import main  # noqa: E402

# Everything is written and closed by now: ending here spares the interpreter's clean-up, a tenth
# of a silent event.
os._exit(main(sys.argv[1:]))
