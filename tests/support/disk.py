"""Disks that fill up, and folders that may not be written."""

import os
import resource
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """Let every write of a file beyond a size fail, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


NOBODY = 65534


def without_privileges(act: Callable[[], None]) -> None:
    """Act as a user whom permissions bind: where root runs the tests, in a process of nobody's."""
    if os.geteuid() != 0:
        act()
        return
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            act()
            status = 0
        except BaseException:  # noqa: BLE001  (whatever it is, the child must not go on as a second pytest)
            traceback.print_exc(file=sys.stderr)
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(ended) == 0, "it failed without privileges: see stderr"
