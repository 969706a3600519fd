"""A program that plays until it is killed and says the id of each entry once it is saved.

    plays_until_killed.py SAVE [CALL SHARE]

With CALL it kills itself at that call of its disk, having done SHARE of it.
"""

import os
import sys

from tests.faults import campaign
from tests.faults.disks import DyingDisk

from tracker.saves.disk import Disk

campaign.tidy_often(setattr)
path, *dies = sys.argv[1:]
table = campaign.reopen(path, DyingDisk(int(dies[0]), float(dies[1])) if dies else Disk())
os.write(1, b"opened\n")
n = 0
while True:
    ident = campaign.play(table, n)["id"]
    if table.settle().word == "saved":
        os.write(1, f"{ident}\n".encode())
    n += 1
