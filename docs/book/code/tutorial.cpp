// The tutorial in C++: each part between ANCHOR lines is a snippet of the book.
#include <cstdio>
#include <numeric>
#include <vector>
#include <zarrc.hpp>

int main() {
  // ANCHOR: create
  zarrc::store store("tutorial.zarr", zarrc::mode::overwrite);
  zarrc::layout layout;
  layout.chunk_shape = {1, 4, 6};
  layout.dimension_names = {"time", "y", "x"};
  auto array = store.create_array<float>("temperature", {3, 4, 6}, layout);
  // ANCHOR_END: create

  // ANCHOR: write
  std::vector<float> values(3 * 4 * 6);
  for (int t = 0; t < 3; t++)
    for (int y = 0; y < 4; y++)
      for (int x = 0; x < 6; x++)
        values[(t * 4 + y) * 6 + x] = 100 * t + 10 * y + x;
  array.write(values); // any contiguous range
  // ANCHOR_END: write

  // ANCHOR: read
  double part[2][3]; // float32 in the store, converted while it is read
  array.read(zarrc::view<double>(part[0], {1, 2, 3}), {1, 1, 2});
  for (const auto &row : part)
    std::printf("%g %g %g\n", row[0], row[1], row[2]);
  // ANCHOR_END: read

  // ANCHOR: select
  const auto selection =
      array.select(zarrc::index{2}, zarrc::list{3, 0}, zarrc::range{0, 3, 2});
  const std::vector<float> selected = array.read(selection); // of shape {2, 3}
  std::printf("%g %g %g\n%g %g %g\n", selected[0], selected[1], selected[2], selected[3],
              selected[4], selected[5]);
  // ANCHOR_END: select

  // ANCHOR: append
  array.append(0, {1, 4, 6}, std::vector<float>(values.begin(), values.begin() + 24));
  std::printf("steps %d\n", static_cast<int>(array.shape()[0]));
  // ANCHOR_END: append

  // ANCHOR: attributes
  array.attributes().set("units", "K");
  std::printf("units %s\n", array.attributes().get<std::string>("units").c_str());
  // ANCHOR_END: attributes

  // ANCHOR: request
  auto reading = array.read_start(array.select(zarrc::index{0}, zarrc::all, zarrc::all));
  // other work
  const std::vector<float> first = reading.get(); // waits
  std::printf("sum %g\n", std::accumulate(first.begin(), first.end(), 0.0));
  // ANCHOR_END: request

  // ANCHOR: errors
  try {
    store.open_array("nothing");
  } catch (const zarrc::error &e) { // e.what() says which path was looked for, and where
    if (e.status() != ZARRC_NOT_FOUND)
      throw;
    std::puts("not found");
  }
  // ANCHOR_END: errors

  // ANCHOR: close
  array.close(); // a destructor closes too, but cannot report a failed write
  store.close();
  // ANCHOR_END: close
}
