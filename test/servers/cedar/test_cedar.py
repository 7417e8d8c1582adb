"""Shows that every fault changes what a caller observes, and that a healthy server repeats itself.

Run with `python3 -m unittest test_cedar` in this folder. CEDAR_ONLY=name,name looks at some faults
only, CEDAR_TABLE=faults-reserve.json at the faults that are kept back.
"""

import json
import os
import re
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scenario import observe

HERE = Path(__file__).parent


class Running:
    """A cedar process on a free port."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, str(HERE / "server.py"), "--port", "0", "--pace", "0.001", "--window", "0.5"]
        self._process = subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> int:
        assert self._process.stdout is not None
        return int(json.loads(self._process.stdout.readline())["port"])

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def faults(table: str = "faults.json") -> list[dict[str, str]]:
    return json.loads((HERE / table).read_text("utf-8"))


def legal() -> list[dict[str, str]]:
    return json.loads((HERE / "legal.json").read_text("utf-8"))


def named_in_code(pattern: str) -> set[str]:
    sources = [path.read_text("utf-8") for path in HERE.glob("*.py") if not path.name.startswith("test_")]
    return set(re.findall(pattern, "\n".join(sources)))


def transcript(*arguments: str) -> list[str]:
    with Running(*arguments) as port:
        return observe(port)


class TableTest(unittest.TestCase):
    def test_the_table_has_150_faults_a_third_of_each_level(self) -> None:
        levels = [entry["level"] for entry in faults()]
        self.assertEqual([levels.count(level) for level in ("easy", "medium", "hard")], [50, 50, 50])

    def test_every_fault_of_the_table_is_in_the_code(self) -> None:
        names = {entry["name"] for entry in [*faults(), *faults("faults-reserve.json")]}
        self.assertEqual(names, named_in_code(r'fault [!=]= "(\w+)"'))

    def test_every_legal_choice_of_the_table_is_in_the_code(self) -> None:
        names = {entry["name"] for entry in legal()}
        code = named_in_code(r'"(\w+)" (?:not )?in legal') | named_in_code(r'"(\w+_is_\d+)": \(')
        self.assertEqual(names, code)


class WalkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.healthy = transcript()

    def test_the_healthy_server_repeats_itself(self) -> None:
        self.assertEqual(transcript(), self.healthy)

    def test_every_fault_changes_what_is_observed(self) -> None:
        only = os.environ.get("CEDAR_ONLY")
        table = os.environ.get("CEDAR_TABLE", "faults.json")
        names = only.split(",") if only else [entry["name"] for entry in faults(table)]
        with ThreadPoolExecutor(3) as pool:
            seen = list(pool.map(lambda name: (name, transcript("--fault", name)), names))
        self.assertEqual([name for name, lines in seen if lines == self.healthy], [])


if __name__ == "__main__":
    unittest.main()
