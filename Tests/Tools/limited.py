"""A limit for each test: one that waits is ended, with its traceback."""

import faulthandler
import unittest


class LimitedTestCase(unittest.TestCase):
    LIMIT_IN_SECONDS = 1_200

    def setUp(self):
        faulthandler.dump_traceback_later(self.LIMIT_IN_SECONDS, exit=True)
        self.addCleanup(faulthandler.cancel_dump_traceback_later)
