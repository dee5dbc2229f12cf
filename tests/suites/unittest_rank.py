"""One rank of a parallel unit test: runs the tests of a module and writes what became of each.

Usage: unittest_rank.py FOLDER MODULE RESULTS: RESULTS.RANK gets lines `OUTCOME TEST`.
"""
import sys
import unittest

folder, module, results = sys.argv[1:4]
sys.argv[1:] = []
sys.path.insert(0, folder)
from mpi4py import MPI


class Outcomes(unittest.TestResult):
    """Ends a line for each test as soon as it is over: a later one may hang."""

    def __init__(self, file):
        super().__init__()
        self.file = file

    def tell(self, outcome, test):
        print(outcome, test.id(), file=self.file, flush=True)

    def addSuccess(self, test):
        self.tell("ok", test)

    def addSkip(self, test, reason):
        self.tell("skipped", test)

    def addExpectedFailure(self, test, error):
        self.tell("ok", test)

    def addFailure(self, test, error):
        self.tell("failed", test)

    def addError(self, test, error):
        self.tell("failed", test)

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.tell("failed", test)


with open(f"{results}.{MPI.COMM_WORLD.Get_rank()}", "w") as file:
    unittest.defaultTestLoader.loadTestsFromName(module).run(Outcomes(file))
