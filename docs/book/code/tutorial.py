# The tutorial in Python: each part between ANCHOR lines is a snippet of the book.
# ANCHOR: create
import numpy as np
import zarrc

store = zarrc.open("tutorial.zarr", "w")
array = store.create_array("temperature", shape=(3, 4, 6), dtype="f4", chunks=(1, 4, 6),
                           dimension_names=["time", "y", "x"])
# ANCHOR_END: create

# ANCHOR: write
t, y, x = np.ogrid[:3, :4, :6]
values = (100 * t + 10 * y + x).astype("f4")
array[...] = values
# ANCHOR_END: write

# ANCHOR: read
part = array.read(np.s_[1, 1:3, 2:5], dtype="f8")  # float32 in the store, converted while it is read
for row in part.astype(int):
    print(*row)
# ANCHOR_END: read

# ANCHOR: select
selected = array.oindex[2, [3, 0], ::2]
for row in selected.astype(int):
    print(*row)
# ANCHOR_END: select

# ANCHOR: append
array.append(values[:1])
print("steps", array.shape[0])
# ANCHOR_END: append

# ANCHOR: attributes
array.attributes["units"] = "K"
print("units", array.attributes["units"])
# ANCHOR_END: attributes

# ANCHOR: request
request = array.read_start(0)  # in a coroutine: await array.read_start(0)
# other work
print("sum", int(request.wait().sum()))
# ANCHOR_END: request

# ANCHOR: errors
try:
    store["nothing"]
except zarrc.NotFoundError:
    print("not found")
# ANCHOR_END: errors

# ANCHOR: close
array.close()
store.close()
# ANCHOR_END: close
