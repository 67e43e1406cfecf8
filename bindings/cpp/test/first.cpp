#include <zarrc.hpp>
#include <cstdio>
#include <vector>
int main() {
  std::vector<double> field(4 * 6), part(2 * 3);
  for (int y = 0; y < 4; y++) for (int x = 0; x < 6; x++) field[y * 6 + x] = 10 * y + x;
  zarrc::store store("first.zarr", zarrc::mode::overwrite);
  auto array = store.create_array<double>("field", {4, 6});       // zarrc::typed_array<double>
  array.write(field);                                             // any contiguous range
  array.read(zarrc::box({1, 2}, {2, 3}), part);
  std::printf("%g %g %g\n%g %g %g\n", part[0], part[1], part[2], part[3], part[4], part[5]);
  array.attributes().set("units", "K");
  try { store.open_array("nothing"); } catch (const zarrc::error &e) { if (e.status() != ZARRC_NOT_FOUND) return 1; }
}
