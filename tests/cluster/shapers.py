"""What leaves the hosts of a bed, by the counters of their cables' shapers."""
import json
import os

import kithtest as kt


def bytes_out_by_host():
    """Bytes that have left each host so far."""
    sent = []
    for host in os.environ["BED_HOSTS"].split():
        shown = kt.run(["onhost", host, "tc", "-s", "-j", "qdisc", "show", "dev", "eth0"]).stdout
        shapers = [item for item in json.loads(shown) if item["kind"] == "tbf"]
        kt.check_equal(len(shapers), 1, f"shapers on {host}")
        kt.check_equal(shapers[0]["drops"], 0, f"packets dropped on {host}, to be sent again")
        sent.append(shapers[0]["bytes"])
    return sent


def bytes_out():
    """Bytes that have left all hosts so far."""
    return sum(bytes_out_by_host())
