"""Time stamps: ISO 8601, UTC, six decimals, and never two equal ones by accident."""

import threading
import time
from datetime import datetime, timezone

from switches import fault, legal


class Clock:
    """Gives microseconds since 1970 that only ever rise."""

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def now(self) -> int:
        with self._lock:
            micros = time.time_ns() // 1000
            if "coarse_clock" in legal:
                return micros - micros % 100000
            self._last = max(micros, self._last + 1)
            return self._last


clock = Clock()


def iso(micros: int) -> str:
    moment = datetime.fromtimestamp(micros // 1_000_000, timezone.utc).replace(microsecond=micros % 1_000_000)
    if fault == "ts_millis":
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{micros % 1_000_000 // 1000:03d}Z"
    if fault == "ts_offset_not_z":
        return moment.isoformat()
    if fault == "ts_trims_zeros":
        return moment.strftime("%Y-%m-%dT%H:%M:%S.%f").rstrip("0") + "Z"
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
