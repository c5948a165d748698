"""Running a program: the way without the subprocess module does the same as the one with it."""

import json
import os
import subprocess
import unittest
from typing import Any

from support import HANGS, LIB, PYTHON

CASES: list[Any] = [
    [["/bin/echo", "hi $(x)", "-n", "a\nb"], {}],
    [["sh", "-c", "cat; echo err >&2; exit 3"], {"stdin": "x" * 300_000}],
    [["true"], {"stdin": "x" * 1_000_000}],
    [["sh", "-c", "exec >&- 2>&-; sleep .2; exit 4"], {}],
    [["sh", "-c", "head -c 3000000 /dev/zero"], {}],
    [["sh", "-c", "kill -9 $$"], {}],
    [["sh", "-c", "yes | head -1"], {}],
    [["pwd"], {"cwd": "/"}],
    [["true"], {"cwd": "/no/such/folder"}],
    [["sh", "-c", "echo $A"], {"env": {"A": "b c", "PATH": os.defpath}}],
    [["/no/such/program"], {}],
    [["no-such-program"], {}],
    [["a\0b"], {}],
    [["/etc/hostname"], {}],
    [["sh", "-c", "sleep 9 & echo started"], {}],
    [["sh", "-c", "echo begun; trap '' TERM; sleep 9 & sleep 9"], {"timeout": 3}],
]
# runs each case and tells what became of it; with a name to import first, the other way is taken
CODE = """
import sys
sys.path.insert(0, sys.argv[1])
if sys.argv[2]:
    __import__(sys.argv[2])
from hooklib import jsonio, process, spawn
assert spawn.usable() != bool(sys.argv[2])
import os
here = os.getcwd()
for args, more in jsonio.loads(sys.stdin.buffer.read()):
    if "stdin" in more:
        more["stdin"] = more["stdin"].encode()
    done = process.run(args, **{"timeout": 60.0, **more})
    why = bool(done.stderr) if done.code == 127 else done.stderr[:5].decode()
    told = done.stdout[:99].decode(), len(done.stdout), why, done.whole
    print(jsonio.dumps([done.code, *told]))
assert os.getcwd() == here
assert len(os.listdir("/proc/self/fd" if os.path.exists("/proc/self/fd") else "/dev/fd")) < 8
assert bool(sys.argv[2]) or "subprocess" not in sys.modules
"""


class ProcessTest(unittest.TestCase):
    def outcomes(self, first: str) -> list[Any]:
        command = [PYTHON, "-I", "-S", "-c", CODE, LIB, first]
        done = subprocess.run(
            command, input=json.dumps(CASES), capture_output=True, text=True, timeout=HANGS
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_both_ways_do_the_same(self) -> None:
        lean = self.outcomes("")
        self.assertEqual(len(lean), len(CASES))
        self.assertEqual(lean, self.outcomes("threading"))
        codes = [outcome[0] for outcome in lean]
        self.assertEqual(codes, [0, 3, 0, 4, 0, -9, 0, 0, 0, 0, 127, 127, 127, 127, 0, 124])
        self.assertEqual(lean[0][1], "hi $(x) -n a\nb\n")
        self.assertEqual(lean[4][2], 1_000_000)
        cut = [number for number, outcome in enumerate(lean) if not outcome[4]]
        self.assertEqual(cut, [4, 14, 15])  # too much, a pipe held open, time out

    def test_where_a_standard_stream_is_closed_the_other_way_is_taken(self) -> None:
        code = "import sys; sys.path.insert(0, sys.argv[1]); from hooklib import process, spawn\n"
        code += "import os; os.close(0); done = process.run(['echo', 'hi'])\n"
        code += "sys.exit(done.stdout != b'hi\\n' or 'subprocess' not in sys.modules)"
        done = subprocess.run([PYTHON, "-I", "-S", "-c", code, LIB], timeout=HANGS)
        self.assertEqual(done.returncode, 0)
