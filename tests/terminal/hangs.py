"""The program on a disk that never answers a look at a campaign: a network folder whose server is gone."""

import threading
from typing import Any

from tracker.campaign.session import Session
from tracker.cli import main

opened = Session.open


def open_or_hang(path: str, **how: Any) -> Session:
    if how.get("write") is False:
        threading.Event().wait()
    return opened(path, **how)


if __name__ == "__main__":
    Session.open = open_or_hang  # type: ignore[method-assign]
    raise SystemExit(main())
