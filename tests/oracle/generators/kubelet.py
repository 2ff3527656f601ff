"""Random, unanswered "kubelet" cases: one JSON object per line, {"id", "input"}.

    python -m tests.oracle.generators.kubelet --seed N --count M | oracle kubelet > answered.jsonl

Machines have the shapes of real servers; configurations and pods cover every option of the
CPU, memory and topology managers. The same seed always gives the same cases.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

KI, MI, GI = 1024, 1024**2, 1024**3

CPU_OPTIONS = [
    "full-pcpus-only",
    "distribute-cpus-across-numa",
    "align-by-socket",
    "distribute-cpus-across-cores",
    "strict-cpu-reservation",
    "prefer-align-cpus-by-uncorecache",
]
ALPHA = {"align-by-socket", "distribute-cpus-across-cores"}
CLASH = [
    {"full-pcpus-only", "distribute-cpus-across-cores"},
    {"distribute-cpus-across-numa", "distribute-cpus-across-cores"},
    {"prefer-align-cpus-by-uncorecache", "distribute-cpus-across-cores"},
    {"prefer-align-cpus-by-uncorecache", "distribute-cpus-across-numa"},
]


def weighted(rng: random.Random, pairs: Any) -> Any:
    return rng.choices([p[0] for p in pairs], [p[1] for p in pairs])[0]


# --- machines ---------------------------------------------------------------------------


class Machine:
    def __init__(self, topology: Json, info: Json) -> None:
        self.topology = topology
        self.info = info
        self.nodes = [n["node_id"] for n in topology]
        self.cpus = sorted(t for n in topology for c in n["cores"] for t in c["thread_ids"])
        self.cores = [c for n in topology for c in n["cores"]]
        self.by_node = {n["node_id"]: sorted(t for c in n["cores"] for t in c["thread_ids"]) for n in topology}
        self.by_socket = {}
        for core in self.cores:
            self.by_socket.setdefault(core["socket_id"], []).extend(core["thread_ids"])
        self.memory = {n["node_id"]: n["memory"] for n in topology}
        self.huge = {}
        for n in topology:
            for h in n.get("hugepages") or []:
                if h["num_pages"]:
                    self.huge.setdefault(h["page_size"], {})[n["node_id"]] = h["num_pages"]
        self.smt = max(len(c["thread_ids"]) for c in self.cores)


def distances(sockets_of: Any, near: Any, far: Any) -> Any:
    ids = sorted(sockets_of)
    rows = {}
    for a in ids:
        rows[a] = [10 if a == b else near if sockets_of[a] == sockets_of[b] else far for b in ids]
    return rows


def make_machine(rng: random.Random) -> Any:
    kind = weighted(
        rng,
        [("plain", 30), ("snc", 18), ("amd", 22), ("one", 6), ("uma", 6), ("hybrid", 6), ("memonly", 6), ("wide", 6)],
    )
    smt = weighted(rng, [(2, 72), (1, 25), (4, 3)])
    numbering = rng.choice(["block", "interleaved", "adjacent"])
    cache_cores = 0
    if kind == "plain":
        sockets, per_socket, cores = weighted(rng, [(2, 6), (4, 2), (3, 1)]), 1, rng.choice([2, 4, 6, 8, 10, 12])
    elif kind == "snc":
        sockets, per_socket, cores = rng.choice([1, 2, 2]), rng.choice([2, 2, 3, 4]), 0
        cores = per_socket * rng.choice([2, 3, 4, 6])
    elif kind == "amd":
        sockets, per_socket = rng.choice([1, 2, 2]), rng.choice([1, 1, 2, 4])
        cache_cores = rng.choice([2, 3, 4, 4, 8])
        caches_per_node = rng.choice([1, 2, 2, 4])
        cores = per_socket * caches_per_node * cache_cores
        while cores * sockets > 64:
            cache_cores = max(2, cache_cores // 2)
            cores = per_socket * caches_per_node * cache_cores
            if cache_cores == 2:
                break
    elif kind == "one":
        sockets, per_socket, cores = 1, 1, rng.choice([2, 4, 8, 16])
    elif kind == "uma":
        sockets, per_socket, cores = rng.choice([2, 4]), 0, rng.choice([2, 4, 6])
    elif kind == "hybrid":
        sockets, per_socket, cores, smt = 1, 1, 0, 2
    elif kind == "memonly":
        sockets, per_socket, cores = rng.choice([1, 2]), rng.choice([1, 2]), rng.choice([4, 8])
    else:  # wide: many NUMA nodes
        sockets, per_socket, cores, smt = 2, rng.choice([4, 4, 5]), 0, rng.choice([1, 2])
        cores = per_socket * rng.choice([2, 4])

    raw = []  # (node, socket, core id, threads, cache id)
    if kind == "hybrid":
        p, e = rng.choice([(6, 8), (4, 8), (2, 4), (6, 4)])
        for i in range(p):
            raw.append([0, 0, i * 4, [2 * i, 2 * i + 1], None])
        for i in range(e):
            raw.append([0, 0, 100 + i, [2 * p + i], None])
    else:
        total = sockets * cores
        for s in range(sockets):
            for c in range(cores):
                flat = s * cores + c
                if numbering == "adjacent":
                    threads = [flat * smt + t for t in range(smt)]
                elif numbering == "interleaved":
                    first = c * sockets + s
                    threads = [first + t * total for t in range(smt)]
                else:
                    threads = [flat + t * total for t in range(smt)]
                node = 0 if per_socket == 0 else s * per_socket + c * per_socket // cores
                cache = flat // cache_cores if cache_cores else None
                raw.append([node, s, c, threads, cache])
    sockets_of = {}
    for node, socket, *_ in raw:
        sockets_of.setdefault(node, socket)

    if rng.random() < 0.10 and kind != "hybrid":
        every = [t for r in raw for t in r[3]]
        for _ in range(rng.randint(1, max(1, len(every) // 6))):
            row = rng.choice(raw)
            if len([t for r in raw for t in r[3]]) > 4 and (len(row[3]) > 1 or rng.random() < 0.4):
                row[3].remove(rng.choice(row[3]))
                if not row[3]:
                    raw.remove(row)
    size = rng.choice([4, 8, 8, 16, 32]) * GI
    lose = rng.choice([0, 0, rng.randint(1, 4000) * 4096])
    huge_kind = weighted(rng, [("none", 55), ("2M", 20), ("1G", 13), ("both", 12)])
    nodes = sorted({r[0] for r in raw} | set(sockets_of))
    if kind == "memonly":
        for _ in range(rng.randint(1, 2)):
            new = nodes[-1] + 1
            nodes.append(new)
            sockets_of[new] = 90 + new
    far = rng.choice([20, 21, 32])
    near = rng.choice([11, 12, 16])
    rows = distances({n: sockets_of.get(n, 0) for n in nodes}, near, far)
    if rng.random() < 0.25 and len(nodes) > 2:
        for a in range(len(nodes)):
            for b in range(a):
                value = rng.choice([11, 12, 16, 21, 22, 31, 32])
                rows[nodes[a]][b] = value
                rows[nodes[b]][a] = value
    topology = []
    for n in nodes:
        memory = size - (lose if n == 0 else rng.choice([0, 0, lose // 2]) // 4096 * 4096)
        huge = []
        if huge_kind in ("1G", "both"):
            huge.append({"page_size": 1048576, "num_pages": rng.choice([0, 1, 1, 2])})
        if huge_kind in ("2M", "both"):
            huge.append({"page_size": 2048, "num_pages": rng.choice([0, 64, 256, 512])})
        out = []
        for node, socket, core, threads, cache in raw:
            if node != n or not threads:
                continue
            one = {"core_id": core, "thread_ids": list(threads), "socket_id": socket}
            if cache is not None:
                one["uncore_caches"] = [{"id": cache, "size": 32 * MI, "type": "Unified", "level": 3}]
            out.append(one)
        topology.append({"node_id": n, "memory": memory, "hugepages": huge, "distances": rows[n], "cores": out})
    return Machine(topology, kind)


# --- configuration ----------------------------------------------------------------------


def cpu_list(cpus: Any) -> Any:
    out, cpus = [], sorted(cpus)
    i = 0
    while i < len(cpus):
        j = i
        while j + 1 < len(cpus) and cpus[j + 1] == cpus[j] + 1:
            j += 1
        out.append(str(cpus[i]) if i == j else f"{cpus[i]}-{cpus[j]}")
        i = j + 1
    return ",".join(out)


def reserved_cpus(rng: random.Random, m: Any) -> Any:
    how = rng.choice(["core", "cores", "pernode", "threads", "random", "tail"])
    if how == "core":
        return rng.choice(m.cores)["thread_ids"]
    if how == "cores":
        picked = m.cores[: rng.randint(1, max(1, len(m.cores) // 4))]
        return [t for c in picked for t in c["thread_ids"]]
    if how == "pernode":
        out = []
        for n in m.topology:
            if n["cores"]:
                threads = n["cores"][0]["thread_ids"]
                out += threads if rng.random() < 0.5 else threads[:1]
        return out
    if how == "threads":
        return [c["thread_ids"][0] for c in m.cores[: rng.randint(1, 2)]]
    if how == "tail":
        return m.cpus[-rng.randint(1, 2) :]
    return rng.sample(m.cpus, rng.randint(1, max(1, min(4, len(m.cpus) // 4))))


def make_config(rng: random.Random, m: Any, plain: bool = False) -> Any:
    kc, gates = {}, {}
    if rng.random() < 0.94:
        kc["cpuManagerPolicy"] = "static"
        options = set()
        for _ in range(weighted(rng, [(0, 30), (1, 34), (2, 24), (3, 10), (4, 2)])):
            options.add(rng.choice(CPU_OPTIONS))
        if rng.random() < 0.95:
            for clash in CLASH:
                if clash <= options:
                    options.discard(sorted(clash)[rng.randrange(2)])
        if options:
            kc["cpuManagerPolicyOptions"] = {o: "true" if rng.random() < 0.97 else "false" for o in sorted(options)}
        if options & ALPHA and rng.random() < 0.97:
            gates["CPUManagerPolicyAlphaOptions"] = True
        if "distribute-cpus-across-numa" in options and rng.random() < 0.02:
            gates["CPUManagerPolicyBetaOptions"] = False
    if rng.random() < 0.6:
        kc["reservedSystemCPUs"] = cpu_list(reserved_cpus(rng, m))
    else:
        kc["kubeReserved"] = {"cpu": rng.choice(["500m", "1", "1", "1500m", "2", "3"])}
        if rng.random() < 0.4:
            kc["systemReserved"] = {"cpu": rng.choice(["500m", "250m", "1"])}
        if rng.random() < 0.02:
            kc["kubeReserved"], kc["systemReserved"] = {}, {}
    if rng.random() < 0.72:
        kc["memoryManagerPolicy"] = "Static"
        total = rng.choice([512, 1024, 1536, 2048]) * MI
        kc.setdefault("kubeReserved", {})["memory"] = f"{total // MI - 100}Mi"
        kc["evictionHard"] = {"memory.available": "100Mi"}
        if rng.random() < 0.2:
            del kc["evictionHard"]
        homes = m.nodes if rng.random() < 0.4 else [rng.choice(m.nodes)]
        if rng.random() < 0.3:
            homes = [m.nodes[0]]
        share, entries = total // MI // len(homes), []
        for i, node in enumerate(homes):
            amount = share if i else total // MI - share * (len(homes) - 1)
            entries.append({"numaNode": node, "limits": {"memory": f"{amount}Mi"}})
        wrong = rng.random()
        if wrong < 0.015:
            entries[0]["limits"]["memory"] = "64Mi"
        elif wrong < 0.025:
            entries[0]["numaNode"] = 40
        elif wrong < 0.03:
            entries = []
        kc["reservedMemory"] = entries
    policy = weighted(rng, [("none", 10), ("best-effort", 24), ("restricted", 30), ("single-numa-node", 36)])
    if (
        policy == "single-numa-node"
        and "align-by-socket" in kc.get("cpuManagerPolicyOptions", {})
        and rng.random() < 0.85
    ):
        policy = rng.choice(["best-effort", "restricted"])
    kc["topologyManagerPolicy"] = policy
    if rng.random() < 0.48:
        kc["topologyManagerScope"] = "pod"
    options = {}
    if rng.random() < 0.3:
        options["prefer-closest-numa-nodes"] = "true"
    if len(m.nodes) > 8 and rng.random() < 0.8:
        options["max-allowable-numa-nodes"] = rng.choice(["10", "12", "16"])
    elif rng.random() < 0.05:
        options["max-allowable-numa-nodes"] = rng.choice(["8", "10", "7"])
    if options:
        kc["topologyManagerPolicyOptions"] = options
    if not plain and rng.random() < 0.38:
        gates["PodLevelResourceManagers"] = True
    if gates:
        kc["featureGates"] = gates
    return kc


# --- pods -------------------------------------------------------------------------------


def memory_text(n: int) -> Any:
    if n % GI == 0:
        return f"{n // GI}Gi"
    if n % MI == 0:
        return f"{n // MI}Mi"
    if n % KI == 0:
        return f"{n // KI}Ki"
    return str(n)


def parse_memory(text: str) -> Any:
    for unit, scale in (("Gi", GI), ("Mi", MI), ("Ki", KI)):
        if text.endswith(unit):
            return int(text[:-2]) * scale
    return int(text)


def cpu_count(rng: random.Random, m: Any) -> Any:
    node = len(rng.choice([v for v in m.by_node.values() if v]))
    socket = len(rng.choice(list(m.by_socket.values())))
    options = [
        1,
        2,
        2,
        3,
        4,
        4,
        6,
        m.smt,
        2 * m.smt,
        node // 2,
        node - 2,
        node,
        node - m.smt,
        node + 2,
        socket // 2,
        socket,
        socket + 1,
        len(m.cpus) // 2,
        len(m.cpus) // 3,
    ]
    if rng.random() < 0.08:
        options += [len(m.cpus) - 2, len(m.cpus)]
    return max(1, rng.choice(options))


def memory_amount(rng: random.Random, m: Any) -> Any:
    node = rng.choice(list(m.memory.values()))
    how = rng.random()
    if how < 0.55:
        return rng.choice([64, 128, 256, 512, 1024, 1536]) * MI
    if how < 0.8:
        return rng.choice([node // 4, node // 3, node // 2]) // MI * MI
    if how < 0.93:
        return rng.choice([node * 3 // 4, node - GI, node - 512 * MI]) // MI * MI
    return rng.choice([node, node + GI, node * 3 // 2, node * 2]) // MI * MI


def both(rng: random.Random, values: Any) -> Json:
    """Guaranteed-style resources; the API server copies limits to requests where missing."""
    if rng.random() < 0.12:
        return {"limits": dict(values)}
    return {"requests": dict(values), "limits": dict(values)}


def container(rng: random.Random, m: Any, name: str, qos: Any, plugins: Any, small: bool = False) -> Any:
    out = {"name": name, "image": "registry.example/app:1"}
    if qos == "BestEffort":
        return out
    cpu = cpu_count(rng, m)
    if small:
        cpu = min(cpu, rng.choice([1, 2, m.smt, 4]))
    fraction = rng.random() < (0.15 if qos == "Guaranteed" else 0.5)
    text = f"{cpu}" if not fraction else rng.choice([f"{cpu * 1000 - 500}m", f"{cpu}500m", "100m", "1500m"])
    if not fraction and rng.random() < 0.1:
        text = f"{cpu}000m"
    mem = memory_amount(rng, m) if not small else rng.choice([64, 128, 512, 1024]) * MI
    values = {"cpu": text, "memory": memory_text(mem)}
    if qos == "Guaranteed":
        if m.huge and rng.random() < 0.35:
            page = rng.choice(sorted(m.huge))
            pages = rng.choice(list(m.huge[page].values()))
            amount = max(1, rng.choice([pages // 4, pages // 2, pages, pages])) * page * KI
            values["hugepages-1Gi" if page == 1048576 else "hugepages-2Mi"] = memory_text(amount)
        res = both(rng, values)
    else:
        res = {"requests": dict(values), "limits": dict(values)}
        how = rng.random()
        if how < 0.4:
            del res["limits"]["cpu"]
        elif how < 0.7:
            del res["limits"]
        else:
            res["limits"]["memory"] = memory_text(mem * 2)
    if plugins and rng.random() < 0.6:
        p = rng.choice(plugins)
        count = str(rng.choice([1, 1, 1, 2, 2, 3, 4]))
        for side in ("requests", "limits"):
            if side in res or side == "limits":
                res.setdefault(side, {})[p["resource"]] = count
    out["resources"] = res
    return out


def milli(text: str) -> Any:
    return int(text[:-1]) if text.endswith("m") else int(text) * 1000


def aggregate(spec: Json, resource: str, parse: Any) -> Any:
    def of(c: Any) -> Any:
        r = c.get("resources", {})
        return parse(r.get("requests", r.get("limits", {})).get(resource, "0"))

    side, peak = 0, 0
    for c in spec.get("initContainers", []):
        if c.get("restartPolicy") == "Always":
            side += of(c)
            peak = max(peak, side)
        else:
            peak = max(peak, side + of(c))
    return max(peak, side + sum(of(c) for c in spec["containers"]))


def make_pod(rng: random.Random, m: Any, name: str, gates: Any, plugins: Any) -> Json:
    qos = weighted(rng, [("Guaranteed", 76), ("Burstable", 15), ("BestEffort", 9)])
    level = rng.random() < (0.55 if gates.get("PodLevelResourceManagers") else 0.05)
    spec = {}
    inits = weighted(rng, [(0, 62), (1, 24), (2, 11), (3, 3)])
    mains = weighted(rng, [(1, 62), (2, 27), (3, 11)])

    def part(n: int, small: bool) -> Any:
        if not level:
            return container(rng, m, n, qos, plugins, small)
        how = rng.random()
        kind = "Guaranteed" if how < 0.5 else "Burstable" if how < 0.7 else "BestEffort"
        return container(rng, m, n, kind, plugins, True)

    if inits:
        spec["initContainers"] = []
        for i in range(inits):
            c = part(f"i{i}", rng.random() < 0.6)
            if rng.random() < 0.45:
                c["name"] = f"s{i}"
                c["restartPolicy"] = "Always"
            spec["initContainers"].append(c)
    spec["containers"] = [part(f"c{i}", mains > 1 or rng.random() < 0.4) for i in range(mains)]
    if level:
        cpu = aggregate(spec, "cpu", milli)
        mem = aggregate(spec, "memory", parse_memory)
        grow = rng.random()
        if grow < 0.65:
            cpu = (cpu + 999) // 1000 * 1000 + rng.choice([0, 0, 1000, 2000, 4000])
        elif grow < 0.75:
            cpu += 500
        mem += rng.choice([0, 256 * MI, 512 * MI, GI])
        values = {"cpu": f"{max(cpu, 1000)}m", "memory": memory_text(max(mem, 64 * MI))}
        if int(values["cpu"][:-1]) % 1000 == 0 and rng.random() < 0.8:
            values["cpu"] = str(int(values["cpu"][:-1]) // 1000)
        for name_ in ("hugepages-1Gi", "hugepages-2Mi"):
            amount = aggregate(spec, name_, parse_memory)
            if amount:
                values[name_] = memory_text(amount)
        for c in spec.get("initContainers", []) + spec["containers"]:
            # A container limit may not exceed the pod's.
            limits = c.get("resources", {}).get("limits", {})
            for r, parse in (("cpu", milli), ("memory", parse_memory)):
                if r in limits and parse(limits[r]) > parse(values[r]):
                    limits[r] = values[r]
        spec["resources"] = {"requests": dict(values), "limits": dict(values)}
        if rng.random() < 0.08:
            spec["resources"]["limits"]["cpu"] = f"{int(milli(values['cpu'])) + 1000}m"
    return {"metadata": {"name": name, "namespace": "default"}, "spec": spec}


def make_plugins(rng: random.Random, m: Any) -> Any:
    out = []
    for i in range(rng.randint(1, 2)):
        devices = []
        homes = m.nodes if rng.random() < 0.6 else rng.sample(m.nodes, max(1, len(m.nodes) // 2))
        for node in homes:
            for _ in range(rng.randint(1, 3)):
                d = {"id": f"d{len(devices):02d}", "numa": [node]}
                how = rng.random()
                if how < 0.06 and len(m.nodes) > 1:
                    d["numa"] = sorted(rng.sample(m.nodes, 2))
                elif how < 0.1:
                    d["numa"] = []
                if rng.random() < 0.06:
                    d["unhealthy"] = True
                devices.append(d)
        if rng.random() < 0.08:
            for d in devices:
                d["numa"] = []
        out.append({"resource": f"example.com/dev{i}", "devices": devices})
    return out


def make_case(rng: random.Random) -> Any:
    m = make_machine(rng)
    # The topology manager tries every combination of hints, so with many NUMA nodes a pod may
    # ask for only a few kinds of resources, or no answer comes in reasonable time.
    kinds = 4 if len(m.nodes) <= 5 else 3 if len(m.nodes) <= 8 else 2
    if (kinds < 4 and rng.random() < 0.5) or kinds < 3:
        for n in m.topology:
            n["hugepages"] = []
        m.huge = {}
    kc = make_config(rng, m)
    gates = kc.get("featureGates", {})
    plugins = []
    if rng.random() < 0.2 and (kinds == 4 or (kinds == 3 and not m.huge)):
        plugins = make_plugins(rng, m)
        if kinds == 3:
            plugins = plugins[:1]
    if kinds < 4 and len(m.huge) > 1:
        for n in m.topology:
            n["hugepages"] = n["hugepages"][:1]
        m.huge.pop(2048)
    pods, live, wanted = [], [], rng.randint(1, 10)
    serial = 0
    while serial < wanted:
        if live and rng.random() < 0.16:
            pods.append({"remove": live.pop(rng.randrange(len(live)))})
            continue
        if pods and not plugins and rng.random() < 0.03:
            pods.append({"restart": True})
            continue
        if live and rng.random() < 0.05:
            owner = rng.choice([p for p in pods if p.get("metadata", {}).get("name") in live])
            names = [c["name"] for c in owner["spec"].get("initContainers", []) + owner["spec"]["containers"]]
            for n in names[: rng.randint(1, len(names))]:
                pods.append({"start": owner["metadata"]["name"] + "/" + n})
            continue
        name = f"p{serial}"
        serial += 1
        pods.append(make_pod(rng, m, name, gates, plugins))
        live.append(name)
    case = {"machine": {"topology": m.topology}, "kubelet": kc, "pods": pods}
    if plugins:
        case["devices"] = plugins
    if len(m.nodes) <= 4 and rng.random() < 0.1:
        case["trace"] = True
    return case


# --- known faults -----------------------------------------------------------------------


def grid(
    nodes: Any, cores: Any, smt: Any = 2, sockets: Any = 2, gib: Any = 8, huge: Any = None, ids: Any = None
) -> Json:
    """A regular machine: sibling t of core f is CPU f + t * all cores."""
    total, topology = nodes * cores, []
    for n in range(nodes):
        topology.append(
            {
                "node_id": ids[n] if ids else n,
                "memory": gib * GI,
                "hugepages": (huge or {}).get(n, []),
                "distances": [
                    10 if a == n else 12 if a * sockets // nodes == n * sockets // nodes else 21 for a in range(nodes)
                ],
                "cores": [
                    {
                        "core_id": c,
                        "socket_id": n * sockets // nodes,
                        "thread_ids": [n * cores + c + t * total for t in range(smt)],
                    }
                    for c in range(cores)
                ],
            }
        )
    return {"topology": topology}


def pod(name: str, *containers: Any, init: Any = (), level: Any = None) -> Json:
    """containers are (name, cpu, memory, {more}) tuples; cpu None means no resources at all."""

    def one(c: Any) -> Any:
        out = {"name": c[0], "image": "registry.example/app:1"}
        more = dict(c[3]) if len(c) > 3 else {}
        restart = more.pop("restartPolicy", None)
        if c[1] is not None:
            values = {"cpu": c[1], "memory": c[2], **more}
            out["resources"] = {"requests": dict(values), "limits": dict(values)}
        if restart:
            out["restartPolicy"] = restart
        return out

    spec = {"containers": [one(c) for c in containers]}
    if init:
        spec["initContainers"] = [one(c) for c in init]
    if level:
        values = {"cpu": level[0], "memory": level[1]}
        spec["resources"] = {"requests": dict(values), "limits": dict(values)}
    return {"metadata": {"name": name, "namespace": "default"}, "spec": spec}


def settings(
    policy: str,
    scope: str = "container",
    options: Any = None,
    memory: Any = False,
    gates: Any = None,
    reserved: Any = "0",
    node_memory: Any = None,
    tm_options: Any = None,
) -> Any:
    kc = {
        "cpuManagerPolicy": "static",
        "reservedSystemCPUs": reserved,
        "topologyManagerPolicy": policy,
        "topologyManagerScope": scope,
    }
    if options:
        kc["cpuManagerPolicyOptions"] = dict.fromkeys(options, "true")
    if memory:
        kc["memoryManagerPolicy"] = "Static"
        total = sum((node_memory or {0: 512}).values())
        kc["kubeReserved"] = {"memory": f"{total - 100}Mi"}
        kc["reservedMemory"] = [
            {"numaNode": n, "limits": {"memory": f"{v}Mi"}} for n, v in (node_memory or {0: 512}).items()
        ]
    if gates:
        kc["featureGates"] = dict.fromkeys(gates, True)
    if tm_options:
        kc["topologyManagerPolicyOptions"] = tm_options
    return kc


def fault_cases() -> Iterator[Any]:
    spread, full = "distribute-cpus-across-numa", "full-pcpus-only"
    managers = ["PodLevelResourceManagers"]

    def case(name: str, machine: Any, kc: Any, pods: Any, **more: Any) -> Json:
        return {"id": f"kubelet-fault-{name}", "input": {"machine": machine, "kubelet": kc, "pods": pods, **more}}

    for cpus in (120, 124, 128, 130, 186, 192, 200, 222, 224):
        yield case(
            f"aliased-combination-{cpus}",
            grid(8, 16),
            settings("none", options=[spread]),
            [pod("p0", ("c", str(cpus), "1Gi"))],
        )
        yield case(
            f"aliased-combination-full-{cpus}",
            grid(8, 16),
            settings("none", options=[spread, full], reserved="0,128"),
            [pod("p0", ("c", str(cpus), "1Gi"))],
        )
    yield case(
        "aliased-combination-hinted",
        grid(8, 16),
        settings("best-effort", options=[spread]),
        [pod("p0", ("c", "128", "1Gi"))],
    )
    # The chosen set is overwritten with nodes that hold fewer CPUs than were counted on.
    yield case(
        "aliased-combination-short",
        grid(8, 4),
        settings("none", options=[spread], reserved="0-2,28-31,60-63"),
        [pod("p0", ("c", "28", "1Gi"))],
    )
    yield case(
        "aliased-combination-busy",
        grid(8, 4),
        settings("none", options=[spread]),
        [pod("p0", ("c", "6", "1Gi")), pod("p1", ("c", "28", "1Gi"))],
    )
    # "Whole" cores and sockets are recognised by an average size, then taken with all their CPUs,
    # even those that are reserved or already given to another container.
    mixed = {
        "topology": [
            {
                "node_id": 0,
                "memory": 16 * GI,
                "hugepages": [],
                "distances": [10],
                "cores": [{"core_id": 4 * i, "socket_id": 0, "thread_ids": [2 * i, 2 * i + 1]} for i in range(4)]
                + [{"core_id": 100 + i, "socket_id": 0, "thread_ids": [8 + i]} for i in range(8)],
            }
        ]
    }
    for policy in ("none", "single-numa-node"):
        yield case(f"hybrid-takes-reserved-{policy}", mixed, settings(policy), [pod("p0", ("c", "2", "1Gi"))])
        yield case(
            f"hybrid-takes-busy-{policy}",
            mixed,
            settings(policy, reserved="15"),
            [pod("p0", ("c", "8", "1Gi")), pod("p1", ("c", "2", "1Gi")), {"remove": "p1"}, {"restart": True}],
        )
        yield case(
            f"hybrid-takes-reserved-restart-{policy}",
            mixed,
            settings(policy),
            [pod("p0", ("c", "2", "1Gi")), {"restart": True}],
        )
    short = grid(2, 4)
    short["topology"][1]["cores"][3]["thread_ids"] = [7]
    for policy in ("none", "best-effort"):
        yield case(
            f"offline-takes-reserved-{policy}",
            short,
            settings(policy, reserved="8"),
            [pod("p0", ("c", "1", "1Gi")), pod("p1", ("c", "9", "1Gi"))],
        )
        yield case(
            f"offline-takes-busy-{policy}",
            short,
            settings(policy, reserved="4"),
            [pod("p0", ("c", "1", "1Gi")), pod("p1", ("c", "9", "1Gi")), {"remove": "p1"}, {"restart": True}],
        )
    # One thread of every NUMA node is reserved: leftovers of 3 + 3 CPUs can never give 6 in pairs.
    yield case(
        "endless-remainder",
        grid(4, 4),
        settings("none", options=[spread, full], reserved="0,4,8,12"),
        [pod("p0", ("c", "22", "1Gi"))],
    )
    yield case(
        "endless-remainder-hinted",
        grid(4, 4),
        settings("best-effort", options=[spread, full], reserved="0,4,8,12"),
        [pod("p0", ("c", "22", "1Gi"))],
    )
    # A page size that one NUMA node does not list at all.
    yield case(
        "missing-page-size",
        grid(2, 4, huge={0: [{"page_size": 1048576, "num_pages": 2}]}),
        settings("best-effort", memory=True),
        [pod("p0", ("c", "2", "1Gi", {"hugepages-1Gi": "1Gi"}))],
    )
    # Distances are indexed by node id.
    yield case(
        "sparse-distances",
        grid(4, 4, ids=[0, 1, 8, 9]),
        settings("best-effort", tm_options={"prefer-closest-numa-nodes": "true"}),
        [pod("p0", ("c", "12", "1Gi"))],
    )
    # More is reserved on one node than it has: the difference wraps around.
    yield case(
        "reserved-wraps",
        grid(2, 4),
        settings("single-numa-node", memory=True, node_memory={0: 9 * 1024}),
        [pod("p0", ("c", "2", "20Gi"))],
    )
    yield case(
        "reserved-and-pages-wrap",
        grid(2, 4, huge={0: [{"page_size": 1048576, "num_pages": 8}], 1: [{"page_size": 1048576, "num_pages": 0}]}),
        settings("single-numa-node", memory=True),
        [pod("p0", ("c", "2", "20Gi"))],
    )
    # A restart re-admits a pod with pod-level resources: not idempotent.
    shared = pod("p0", ("a", "2", "1Gi"), ("b", None, None), level=("4", "2Gi"))
    lonely = pod("p0", ("a", "4", "2Gi"), level=("4", "2Gi"))
    for policy in ("best-effort", "restricted", "single-numa-node", "none"):
        for name, first in (("shared", shared), ("exclusive", lonely)):
            yield case(
                f"restart-pod-level-{name}-{policy}",
                grid(2, 8),
                settings(policy, "pod", memory=True, gates=managers),
                [first, {"restart": True}, {"restart": True}, pod("p1", ("c", "2", "1Gi"))],
            )
            yield case(
                f"restart-pod-level-container-{name}-{policy}",
                grid(2, 8),
                settings(policy, "container", memory=True, gates=managers),
                [first, {"restart": True}, {"restart": True}, pod("p1", ("c", "2", "1Gi"))],
            )
    # Container scope: what happens to containers without eligible memory.
    for policy in ("best-effort", "restricted", "single-numa-node", "none"):
        yield case(
            f"pod-level-container-scope-{policy}",
            grid(2, 8),
            settings(policy, memory=True, gates=managers),
            [pod("p0", ("c", "2", "1Gi")), shared | {"metadata": {"name": "p1", "namespace": "default"}}],
        )
    # Whole physical cores: CPUs of a finished init container do not count as free.
    yield case(
        "init-reuse-not-counted",
        grid(1, 4, sockets=1),
        settings("none", options=[full], reserved="0,4"),
        [pod("p0", ("c", "4", "1Gi"), init=[("i", "4", "1Gi")])],
    )
    yield case(
        "init-reuse-counted-without-option",
        grid(1, 4, sockets=1),
        settings("none", reserved="0,4"),
        [pod("p0", ("c", "4", "1Gi"), init=[("i", "4", "1Gi")])],
    )
    # Devices of a pod with pod-level resources are not allocated at admission.
    for scope in ("pod", "container"):
        yield case(
            f"pod-level-device-{scope}",
            grid(2, 8),
            settings("single-numa-node", scope, gates=managers),
            [
                pod("p0", ("c", "2", "1Gi", {"example.com/dev": "1"}), level=("4", "2Gi")),
                pod("p1", ("c", "2", "1Gi", {"example.com/dev": "1"})),
            ],
            devices=[{"resource": "example.com/dev", "devices": [{"id": "d0", "numa": [1]}]}],
        )
    # A whole NUMA node is asked for, but one CPU of each is reserved: no preferred hint exists.
    for policy in ("best-effort", "restricted", "single-numa-node"):
        yield case(
            f"reserved-hides-node-{policy}",
            grid(2, 4),
            settings(policy, reserved="0,4"),
            [pod("p0", ("c", "8", "1Gi"))],
        )
    # Too little memory anywhere is not an affinity problem.
    for policy in ("best-effort", "restricted", "single-numa-node"):
        yield case(
            f"memory-short-{policy}",
            grid(2, 4),
            settings(policy, memory=True),
            [pod("p0", ("c", "2", "7Gi")), pod("p1", ("c", "2", "7Gi")), pod("p2", ("c", "2", "2Gi"))],
        )


def fixed_cases() -> Iterator[Any]:
    """Restarts, also with a changed configuration, and started containers."""
    base = settings("single-numa-node", memory=True)
    two = [pod("p0", ("c", "3", "1Gi")), pod("p1", ("c", "4", "2Gi"), init=[("i", "2", "3Gi")])]
    changes = {
        "same": base,
        "full-pcpus": settings("single-numa-node", options=["full-pcpus-only"], memory=True),
        "strict": settings("single-numa-node", options=["strict-cpu-reservation"], memory=True),
        "more-reserved-free": settings("single-numa-node", memory=True, reserved="0,15"),
        "more-reserved-busy": settings("single-numa-node", memory=True, reserved="0,1"),
        "pod-scope": settings("single-numa-node", "pod", memory=True),
        "restricted": settings("restricted", memory=True),
        "best-effort": settings("best-effort", memory=True),
        "none": settings("none", memory=True),
        "no-static-cpu": {k: v for k, v in base.items() if k != "cpuManagerPolicy"},
        "no-static-memory": {k: v for k, v in base.items() if k != "memoryManagerPolicy"},
        "other-memory": settings("single-numa-node", memory=True, node_memory={0: 256, 1: 256}),
        "more-memory": settings("single-numa-node", memory=True, node_memory={0: 1024}),
        "pod-level-gate": settings("single-numa-node", memory=True, gates=["PodLevelResourceManagers"]),
        "no-pod-level": settings("single-numa-node", memory=True)
        | {"featureGates": {"PodLevelResourceManagers": True, "PodLevelResources": False}},
    }
    off = [
        "PodLevelResources",
        "PodLevelResourcesFixDefaulting",
        "PodLevelResourcesFixKubeletQOSClass",
        "InPlacePodLevelResourcesVerticalScaling",
    ]
    for name, gates in (
        ("off", dict.fromkeys(off, False)),
        ("default", {}),
        ("managers", {"PodLevelResourceManagers": True}),
        ("half", {"PodLevelResources": False}),
    ):
        for policy in ("none", "single-numa-node"):
            for scope in ("container", "pod"):
                yield {
                    "id": f"kubelet-pod-level-{name}-{policy}-{scope}",
                    "input": {
                        "machine": grid(2, 4),
                        "kubelet": settings(policy, scope, memory=True) | {"featureGates": gates},
                        "trace": True,
                        "pods": [
                            pod("p0", ("a", "1", "1Gi"), ("b", "1", "1Gi"), level=("4", "3Gi")),
                            pod("p1", ("a", "1", "1Gi"), ("b", None, None), level=("3", "3Gi")),
                            pod("p2", ("a", None, None), level=("2", "1Gi")),
                            pod("p3", ("a", "1", "1Gi"), ("b", None, None), level=("1500m", "2Gi")),
                            pod("p4", ("a", "2", "1Gi"), ("b", None, None), level=("2", "2Gi")),
                        ],
                    },
                }

    # What is reserved, and whether the kubelet starts with it.
    def reserve(name: str, machine: Any = None, **fields: Any) -> Json:
        kc = {
            "cpuManagerPolicy": "static",
            "memoryManagerPolicy": "Static",
            "topologyManagerPolicy": "best-effort",
            "kubeReserved": {"cpu": "1", "memory": "412Mi"},
            "reservedMemory": [{"numaNode": 0, "limits": {"memory": "512Mi"}}],
        } | fields
        return {
            "id": f"kubelet-reserve-{name}",
            "input": {
                "machine": machine or grid(2, 4),
                "kubelet": {k: v for k, v in kc.items() if v is not None},
                "pods": [pod("p0", ("c", "2", "1Gi"))],
            },
        }

    def memory_on(*entries: Any) -> Any:
        return [{"numaNode": n, "limits": limits} for n, limits in entries]

    five = {"memory.available": "5%"}
    yield reserve("plain")
    yield reserve("no-eviction", evictionHard={}, kubeReserved={"cpu": "1", "memory": "512Mi"})
    yield reserve("no-eviction-short", evictionHard={})
    yield reserve(
        "other-eviction", evictionHard={"nodefs.available": "10%"}, kubeReserved={"cpu": "1", "memory": "512Mi"}
    )
    yield reserve("merged-eviction", evictionHard={"nodefs.available": "10%"}, mergeDefaultEvictionSettings=True)
    yield reserve("percent-eviction", evictionHard=five)
    yield reserve(
        "percent-eviction-float",
        evictionHard=five,
        reservedMemory=memory_on((0, {"memory": str(412 * MI + 858993472)})),
    )
    yield reserve(
        "percent-eviction-exact",
        evictionHard=five,
        reservedMemory=memory_on((0, {"memory": str(412 * MI + 858993459)})),
    )
    for text in ("0%", "100%", "12.5%", "33%", "0.1%"):
        yield reserve(f"percent-{text[:-1].replace('.', '_')}", evictionHard={"memory.available": text})
    yield reserve("split", reservedMemory=memory_on((0, {"memory": "256Mi"}), (1, {"memory": "256Mi"})))
    yield reserve("split-unequal", reservedMemory=memory_on((0, {"memory": "500Mi"}), (1, {"memory": "12Mi"})))
    yield reserve("too-much", reservedMemory=memory_on((0, {"memory": "513Mi"})))
    yield reserve("none-at-all", reservedMemory=None)
    yield reserve("nothing-to-reserve", evictionHard={}, kubeReserved={"cpu": "1"}, reservedMemory=None)
    yield reserve("unknown-node", reservedMemory=memory_on((2, {"memory": "512Mi"})))
    yield reserve(
        "pages",
        grid(2, 4, huge={n: [{"page_size": 2048, "num_pages": 128}] for n in range(2)}),
        reservedMemory=memory_on((0, {"memory": "512Mi", "hugepages-2Mi": "64Mi"})),
    )
    yield reserve("pages-kube", kubeReserved={"cpu": "1", "memory": "412Mi", "hugepages-2Mi": "64Mi"})
    yield reserve("negative", kubeReserved={"cpu": "-1", "memory": "412Mi"})
    yield reserve("other-unit", kubeReserved={"cpu": "1", "memory": "432013312"})
    yield reserve(
        "decimal-unit",
        kubeReserved={"cpu": "1", "memory": "412M"},
        reservedMemory=memory_on((0, {"memory": "516857600"})),
    )
    for text in ("0", "1m", "999m", "1.0005", "1.0004", "2500m", "16", "17", "15"):
        yield reserve(f"cpu-{text.replace('.', '_')}", kubeReserved={"cpu": text, "memory": "412Mi"})
    yield reserve("cpu-both", kubeReserved={"cpu": "1500m", "memory": "412Mi"}, systemReserved={"cpu": "1500m"})
    yield reserve("cpu-none", kubeReserved={"memory": "412Mi"})
    for text in ("0", "0,8", "0-3", "16", "0-15", "3,1,2", ""):
        yield reserve(f"list-{text or 'empty'}".replace(",", "_"), reservedSystemCPUs=text)
    yield reserve(
        "list-and-amount",
        reservedSystemCPUs="0-1",
        kubeReserved={"cpu": "7", "memory": "412Mi"},
        systemReserved={"cpu": "3"},
    )
    for o in CPU_OPTIONS:
        for count in ("2", "3", "5"):
            yield reserve(
                f"{o}-{count}",
                grid(4, 4),
                kubeReserved={"cpu": count, "memory": "412Mi"},
                cpuManagerPolicyOptions={o: "true"},
                featureGates={"CPUManagerPolicyAlphaOptions": True},
            )
    for value in ("1", "t", "T", "TRUE", "True", "false", "0", "F", "yes", ""):
        yield reserve(f"option-value-{value or 'empty'}", cpuManagerPolicyOptions={"full-pcpus-only": value})
    yield reserve("option-unknown", cpuManagerPolicyOptions={"full-pcpus": "true"})
    yield reserve("option-alpha-false", cpuManagerPolicyOptions={"align-by-socket": "false"})
    yield reserve("option-without-static", cpuManagerPolicy="none", cpuManagerPolicyOptions={"full-pcpus-only": "true"})
    for name, value in (
        ("prefer-closest-numa-nodes", "maybe"),
        ("max-allowable-numa-nodes", "7"),
        ("max-allowable-numa-nodes", "9"),
        ("max-allowable-numa-nodes", "many"),
        ("nearest", "true"),
    ):
        yield reserve(f"topology-{name}-{value}", topologyManagerPolicyOptions={name: value})
        yield reserve(
            f"topology-none-{name}-{value}", topologyManagerPolicy="none", topologyManagerPolicyOptions={name: value}
        )
    for field, value in (
        ("cpuManagerPolicy", "dynamic"),
        ("memoryManagerPolicy", "static"),
        ("memoryManagerPolicy", "BestEffort"),
    ):
        yield reserve(f"{field}-{value}", **{field: value})
    always = {"restartPolicy": "Always"}
    page = {"hugepages-2Mi": "64Mi"}
    pools = [
        pod("fits", ("a", "2", "1Gi"), ("b", None, None), level=("3", "2Gi")),
        pod("no-cpu-left", ("a", "2", "1Gi"), ("b", None, None), level=("2", "2Gi")),
        pod("no-memory-left", ("a", "1", "1Gi"), ("b", None, None), level=("2", "1Gi")),
        pod("nothing-shared", ("a", "1", "512Mi"), ("b", "1", "512Mi"), level=("2", "1Gi")),
        pod(
            "shared-init",
            ("a", "1", "512Mi"),
            init=[("i", None, None), ("s", "1", "512Mi", always)],
            level=("2", "1Gi"),
        ),
        pod(
            "shared-init-late",
            ("a", "1", "512Mi"),
            init=[("s", "1", "512Mi", always), ("i", None, None)],
            level=("2", "1Gi"),
        ),
        pod("starved-init", init=[("s", "2", "1Gi", always), ("i", None, None)], level=("2", "2Gi")),
        pod("starved-init-memory", init=[("s", "1", "1Gi", always), ("i", None, None)], level=("2", "1Gi")),
        pod("shared-sidecar", ("a", "2", "512Mi"), init=[("s", None, None, always)], level=("3", "1Gi")),
        pod("whole-init", ("a", None, None), init=[("i", "3", "1Gi")], level=("3", "1Gi")),
        pod("fraction-inside", ("a", "1500m", "512Mi"), ("b", "1", "512Mi"), level=("3", "2Gi")),
        pod("fraction-budget", ("a", "1", "512Mi"), ("b", None, None), level=("2500m", "1Gi")),
        pod("burstable", ("a", "1", "512Mi"), level=("2", "1Gi")),
        pod("pages", ("a", "1", "512Mi", page), level=("2", "1Gi")),
        pod("pages-gone", ("a", "1", "512Mi", page), ("b", None, None), level=("2", "1Gi")),
    ]
    for p in pools:
        level = p["spec"]["resources"]
        if p["metadata"]["name"] == "burstable":
            level["requests"]["cpu"] = "1"
        if p["metadata"]["name"].startswith("pages"):
            for side in level.values():
                side.update(page)
        p["spec"]["containers"] = p["spec"]["containers"] or [{"name": "a", "image": "registry.example/app:1"}]
    huge = {n: [{"page_size": 2048, "num_pages": 128}] for n in range(2)}
    for policy in ("none", "best-effort", "restricted", "single-numa-node"):
        for scope in ("container", "pod"):
            for options in ([], ["full-pcpus-only"], ["strict-cpu-reservation"]):
                yield {
                    "id": "-".join(["kubelet-pool", policy, scope] + options),
                    "input": {
                        "machine": grid(2, 8, huge=huge),
                        "kubelet": settings(
                            policy, scope, options=options, memory=True, gates=["PodLevelResourceManagers"]
                        ),
                        "trace": not options,
                        "pods": [e for p in pools for e in (p, {"remove": p["metadata"]["name"]})]
                        + pools[:4]
                        + pools[6:9],
                    },
                }
    for name, kc in changes.items():
        yield {
            "id": f"kubelet-restart-{name}",
            "input": {
                "machine": grid(2, 4),
                "kubelet": base,
                "pods": two + [{"restart": kc}, {"remove": "p0"}, pod("p2", ("c", "2", "1Gi"))],
            },
        }
    for policy in ("best-effort", "restricted", "single-numa-node", "none"):
        for scope in ("container", "pod"):
            inits = [("i0", "2", "3Gi"), ("s0", "1", "1Gi", {"restartPolicy": "Always"}), ("i1", "4", "2Gi")]
            first = pod("p0", ("a", "2", "1Gi"), ("b", "1", "2Gi"), init=inits)
            yield {
                "id": f"kubelet-start-{policy}-{scope}",
                "input": {
                    "machine": grid(2, 8),
                    "kubelet": settings(policy, scope, memory=True),
                    "trace": True,
                    "pods": [
                        first,
                        {"start": "p0/i0"},
                        {"start": "p0/s0"},
                        {"start": "p0/i1"},
                        {"start": "p0/a"},
                        {"start": "p0/b"},
                        {"restart": True},
                        pod("p1", ("c", "4", "3Gi")),
                        {"remove": "p0"},
                        pod("p2", ("c", "8", "12Gi")),
                    ],
                },
            }
            yield {
                "id": f"kubelet-restart-inits-{policy}-{scope}",
                "input": {
                    "machine": grid(2, 8),
                    "kubelet": settings(policy, scope, memory=True),
                    "trace": True,
                    "pods": [first, {"restart": True}, {"restart": True}, pod("p1", ("c", "4", "3Gi"))],
                },
            }


def spread_case(rng: random.Random) -> Json:
    """distribute-cpus-across-numa on many nodes, without hints to narrow the choice."""
    nodes, cores, smt = rng.choice([5, 6, 6, 7, 8, 8]), rng.choice([2, 3, 4]), rng.choice([1, 2, 2])
    machine = grid(nodes, cores, smt, sockets=rng.choice([1, 2]))
    total = nodes * cores * smt
    options, gates = ["distribute-cpus-across-numa"], []
    if rng.random() < 0.4:
        options.append("full-pcpus-only")
    if rng.random() < 0.3:
        options.append("align-by-socket")
        gates.append("CPUManagerPolicyAlphaOptions")
    reserved = sorted(rng.sample(range(total), rng.randint(1, total // 4)))
    kc = settings("none", options=options, gates=gates, reserved=cpu_list(reserved))
    left, pods = total - len(reserved), []
    for j in range(rng.randint(1, 4)):
        n = rng.randint(2, max(2, left))
        if rng.random() < 0.7:
            n = max(2, n // 2 * 2)
        pods.append(pod(f"p{j}", ("c", str(n), "64Mi")))
        left = max(2, left - n)
    return {"machine": machine, "kubelet": kc, "pods": pods}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--prefix", default="kubelet")
    parser.add_argument(
        "--set",
        choices=["random", "spread", "fixed", "faults"],
        default="random",
        help="random cases, random ones for one option, or one of the fixed lists",
    )
    args = parser.parse_args()

    def emit(case: Json) -> None:
        sys.stdout.write(json.dumps(case, separators=(",", ":")) + "\n")

    if args.set in ("fixed", "faults"):
        for case in {"fixed": fixed_cases, "faults": fault_cases}[args.set]():
            if args.set == "fixed" and not case["id"].endswith("-only"):
                case["input"]["stateFiles"] = True
            emit(case)
        return
    make, name = (make_case, args.prefix) if args.set == "random" else (spread_case, args.prefix + "-spread")
    for i in range(args.count):
        emit({"id": f"{name}-{args.seed}-{i:05d}", "input": make(random.Random(f"{args.seed}/{i}"))})


if __name__ == "__main__":
    main()
