// The binding without exceptions: what can fail returns a zarrc::result. Compiled with
// -fno-exceptions.
#include <zarrc.hpp>

int main() {
  auto store = zarrc::store::open("memory:", zarrc::mode::append);
  if (!store)
    return 1;
  auto array = store->create_array<double>("a", {4, 6});
  if (!array || !array->write(std::vector<double>(24, 2.5)))
    return 2;
  auto part = array->read(zarrc::box({1, 2}, {2, 3}));
  if (!part || part->size() != 6 || (*part)[5] != 2.5)
    return 3;
  const auto nothing = store->open_array("nothing");
  if (nothing || nothing.error().status() != ZARRC_NOT_FOUND)
    return 4;
  for (const auto &chunk : *array->chunks())
    if (!chunk || chunk->size() != 24)
      return 5;
  return array->close() && store->close() ? 0 : 6;
}
