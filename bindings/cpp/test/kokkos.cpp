// Kokkos: views of any layout by their strides, without copies.
#include <Kokkos_Core.hpp>
#include <zarrc.hpp>

template <class V> auto as_view(const V &v) {
  std::vector<std::ptrdiff_t> strides;
  zarrc::extents shape(std::size_t{V::rank}, nullptr);
  for (std::size_t n = 0; n < shape.size(); n++) {
    shape[n] = v.extent(n);
    strides.push_back(static_cast<std::ptrdiff_t>(v.stride(n)));
  }
  return zarrc::view<typename V::value_type>(v.data(), shape, strides);
}

static int test() {
  zarrc::store store("memory:", zarrc::mode::append);
  auto array = store.create_array<double>("a", {4, 6});
  Kokkos::View<double **, Kokkos::LayoutLeft, Kokkos::HostSpace> columns("columns", 4, 6);
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 6; x++)
      columns(y, x) = 10 * y + x;
  array.write(as_view(columns));
  Kokkos::View<float **, Kokkos::LayoutRight, Kokkos::HostSpace> rows("rows", 4, 6);
  array.read(as_view(rows));
  Kokkos::View<double **, Kokkos::LayoutRight, Kokkos::HostSpace> large("large", 10, 10);
  auto block = Kokkos::subview(large, std::make_pair(3, 5), std::make_pair(2, 5));
  array.read(as_view(block), {1, 2});
  return rows(3, 5) == 35 && large(3, 2) == 12 && large(4, 4) == 24 && large(2, 2) == 0 ? 0 : 1;
}

int main() {
  Kokkos::initialize();
  const int result = test();
  Kokkos::finalize();
  return result;
}
