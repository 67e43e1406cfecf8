"""A discrete-event model of many ranks that write one array.

Ranks are simulated in groups and chunks in batches, so that 10^5 ranks and 10^9 chunks need some 10^5 events. A batch
passes through a chain of resources, each with a queue of its own, first come, first served:

    core of the rank -> NIC out -> NIC in -> core of the leader -> metadata server -> data server

A rank works on one batch at a time with its core and lets the library's requests carry on with up to `depth` batches
behind it: that is what zarrc's requests and exchange do.

All times are in seconds, all sizes in bytes.
"""
import dataclasses
import heapq


SMALL = 128 * 1024  # zstd has other tables for inputs of up to so many bytes


@dataclasses.dataclass(frozen=True)
class Machine:
    """What a machine costs. `measure.py` measures the first group, the second describes the network and the storage."""

    encode: float  # of one core, per byte of raw data: compression
    encode_small: float  # the same for chunks of up to SMALL bytes
    encode_chunk: float  # of one core, per compressed chunk: what small chunks cost beside their bytes
    exchange: float  # of one core, per byte that travels between ranks of one node, and is put together
    chunk: float  # of one core, per chunk: planning, queues, allocation
    file: float  # of one core, per file: the system calls of the client
    store: float  # of one core, per stored byte: copying to the page cache or to a socket

    ratio: float  # raw bytes / stored bytes
    cores: int  # of a node
    nic: float = 12.5e9  # bytes per second of a node, each way
    metadata: float = 0.0  # of a metadata server, per file that is created (and renamed)
    metadata_servers: int = 1
    data: float = 0.0  # of a data server, per stored byte
    operation: float = 0.0  # of a data server, per file or request
    data_servers: int = 1
    latency: float = 0.0  # of a request, in which nothing is busy
    concurrency: int = 1  # requests of a rank that are under way at once


@dataclasses.dataclass(frozen=True)
class Job:
    ranks: int
    raw: float  # bytes of the array
    value: float  # raw bytes of a stored value: a chunk, or a shard
    chunk: float  # raw bytes of a chunk that is compressed by itself
    moved: float = 0.0  # the part of the data that travels to another rank
    ranks_per_node: int = 0  # 0: as many as cores
    leaders: int = 0  # ranks that store values; 0: all


class Resource:
    """Servers that serve one request after the other, in the order of arrival."""

    def __init__(self, servers):
        self.servers = max(1, servers)
        self.free = [0.0] * min(self.servers, 4096)
        self.share = self.servers / len(self.free)  # of real servers behind each simulated one
        self.busy = 0.0

    def serve(self, now, work, width=1):
        """`work` seconds of one server, of requests that `width` servers could serve at the same time. When it ends."""
        if work <= 0:
            return now
        self.busy += work
        width = max(1, min(width, self.servers))
        slots = max(1, min(len(self.free), round(width / self.share)))
        each = work / (slots * self.share)
        end = now
        for _ in range(slots):
            free = heapq.heappop(self.free)
            done = max(now, free) + each
            heapq.heappush(self.free, done)
            end = max(end, done)
        return end


def simulate(machine, job, groups=200, batches=50):
    """Seconds until everything is stored, and what each resource was busy for, as a part of its time."""
    m, j = machine, job
    values = max(1, round(j.raw / j.value))
    leaders = min(j.leaders or j.ranks, values)
    per_node = j.ranks_per_node or min(m.cores, j.ranks)
    nodes = -(-j.ranks // per_node)
    groups = min(groups, leaders)
    in_group = leaders / groups  # ranks that store
    senders = j.ranks / leaders  # ranks behind each of them
    batches = max(1, min(batches, round(values / leaders)))
    share = values / groups / batches  # values of a group in a batch
    raw, stored = share * j.value, share * j.value / m.ratio
    cores = Resource(min(j.ranks, nodes * m.cores))
    nic = Resource(nodes)
    metadata, data = Resource(m.metadata_servers), Resource(m.data_servers)
    # of the cores of a group: those of the leaders, which compress and store; senders only cut and send
    prepare = raw * j.moved * m.exchange
    encode = m.encode_small if j.chunk <= SMALL else m.encode
    work = raw * encode + share * (j.value / j.chunk * (m.chunk + m.encode_chunk) + m.file) + stored * m.store
    events = [(0.0, g, 0) for g in range(groups)]
    heapq.heapify(events)
    in_flight = {g: [] for g in range(groups)}  # when the batches that are being stored end
    depth = max(1, m.concurrency)
    end = 0.0
    while events:
        now, g, batch = heapq.heappop(events)
        at = cores.serve(now, prepare, in_group * senders)
        if nodes > 1:
            at = nic.serve(at, raw * j.moved * (1 - 1 / nodes) / m.nic, in_group / per_node + 1)
        at = cores.serve(at, work, in_group)
        # the requests of a batch: those of one rank one after the other, `concurrency` at once
        stored_at = metadata.serve(at, share * m.metadata, in_group)
        stored_at = data.serve(stored_at, stored * m.data + share * m.operation, in_group)
        stored_at += m.latency * max(1.0, share / in_group / depth)
        under_way = in_flight[g]
        heapq.heappush(under_way, stored_at)
        end = max(end, stored_at)
        if batch + 1 < batches:
            resume = at if m.latency or m.metadata or m.data else stored_at
            if len(under_way) > 1:  # the next batch is computed while one is being stored
                resume = max(resume, heapq.heappop(under_way))
            heapq.heappush(events, (resume, g, batch + 1))
    used = {
        "cores": cores.busy / (cores.servers * end),
        "network": nic.busy / (nic.servers * end),
        "metadata servers": metadata.busy / (metadata.servers * end),
        "data servers": data.busy / (data.servers * end),
    }
    return end, used, values
