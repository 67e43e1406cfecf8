"""tensorstore: its defaults (no cache), without fsync, as all the others. Cold files are read by as many threads
as it likes."""
import job
import tensorstore as ts

V3 = job.text("format") == "3"
CONTEXT = ts.Context({
    "data_copy_concurrency": {"limit": job.number("threads")},
    "file_io_concurrency": {"limit": "shared" if job.number("cold") else job.number("threads")},
    "file_io_sync": False,
})


def spec(path):
    return {"driver": "zarr3" if V3 else "zarr", "kvstore": {"driver": "file", "path": path + "/"}}


class Library:
    def open(self, path, writable):
        return ts.open(spec(path), context=CONTEXT, open=True).result()

    def create(self, path, shape):
        return ts.open({**spec(path), "metadata": job.document(shape)}, context=CONTEXT, create=True).result()

    def read(self, array, box):
        return array[box].read().result()

    def select(self, array, what, given):
        if what == "points":
            return array[given[0], given[1], given[2]].read().result()
        if what == "orthogonal":
            return array.oindex[given[0], given[1], given[2]].read().result()
        return array[given if what == "mask" else slice(None, None, given)].read().result()

    def write(self, array, box, data):
        array[box].write(data).result()

    def resize(self, array, shape):
        return array.resize(exclusive_max=shape).result()

    def list(self, path):
        store = ts.KvStore.open({"driver": "file", "path": path + "/"}, context=CONTEXT).result()
        end = b"/zarr.json" if V3 else b"/.zarray"
        arrays = [k[: -len(end)].decode() for k in store.list().result() if k.endswith(end)]
        return sum(self.open(f"{path}/{name}", False).shape[0] for name in arrays)


job.run(Library())
