"""What goes wrong outside MPI."""


class KithError(Exception):
    """One sentence for the user: what was expected, and what was found."""

    __module__ = "kith"  # the name that users know
