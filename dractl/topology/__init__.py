"""Dumps of nodes to machines: lscpu, hwloc, sysfs, numactl, cAdvisor, and what the kubelet leaves and says.

Nothing is opened here: names and bytes are handed in. Faults are raised all together as `BadInput`.
"""

from dractl.topology.description import Description, DumpFormat
from dractl.topology.dumps import Dump
from dractl.topology.files import MOST_BYTES_OF_A_FILE, MOST_FILES, FileTree, is_wanted
from dractl.topology.pieces import ReadObjects
from dractl.topology.pod_resources import PodResources
from dractl.topology.read import read_dumps
from dractl.topology.reading import Configured, DumpReading, NodeDumps
from dractl.topology.resource_topology import NodeResources
from dractl.topology.sniffing import KINDS_OF_DUMPS, Holds, kubelet_objects, what_it_holds

__all__ = [
    "KINDS_OF_DUMPS",
    "MOST_BYTES_OF_A_FILE",
    "MOST_FILES",
    "Configured",
    "Description",
    "Dump",
    "DumpFormat",
    "DumpReading",
    "FileTree",
    "Holds",
    "NodeDumps",
    "NodeResources",
    "PodResources",
    "ReadObjects",
    "is_wanted",
    "kubelet_objects",
    "read_dumps",
    "what_it_holds",
]
