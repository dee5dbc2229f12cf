"""What leaves the hosts of a bed, by the counters of their cables' shapers."""
import json
import os

import kithtest as kt


def bytes_out():
    """Bytes that have left all hosts so far."""
    total = 0
    for host in os.environ["BED_HOSTS"].split():
        shown = kt.run(["onhost", host, "tc", "-s", "-j", "qdisc", "show", "dev", "eth0"]).stdout
        shapers = [item for item in json.loads(shown) if item["kind"] == "tbf"]
        kt.check_equal(len(shapers), 1, f"shapers on {host}")
        kt.check_equal(shapers[0]["drops"], 0, f"packets dropped on {host}, to be sent again")
        total += shapers[0]["bytes"]
    return total
