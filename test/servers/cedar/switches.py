"""Command line of cedar: port, one fault to switch on, legal choices to take."""

import argparse
import os


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Cedar: an Assistant Conversation Service", allow_abbrev=False)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=int(os.environ.get("CEDAR_PORT", "0")))
    parser.add_argument("--fault", default=os.environ.get("CEDAR_FAULT", ""))
    parser.add_argument("--legal", action="append", default=os.environ.get("CEDAR_LEGAL", "").split(","))
    parser.add_argument("--pace", type=float, default=0.004, help="seconds between two chunks of a stream")
    parser.add_argument("--rate", type=int, default=12, help="requests the limited tenant may send in one window")
    parser.add_argument("--window", type=float, default=2.0, help="length of the rate limit window in seconds")
    return parser.parse_known_args()[0]


options = _parse()
fault: str = options.fault
legal: frozenset[str] = frozenset(name for part in options.legal for name in part.split(",") if name)
