// xtensor: any layout by its strides, without copies.
#include <xtensor/xarray.hpp>
#include <xtensor/xbuilder.hpp>
#include <zarrc.hpp>

template <class X> auto as_view(X &x) {
  return zarrc::view<typename X::value_type>(
      x.data(), zarrc::extents(x.shape()),
      std::vector<std::ptrdiff_t>(x.strides().begin(), x.strides().end()));
}

int main() {
  zarrc::store store("memory:", zarrc::mode::append);
  auto array = store.create_array<double>("a", {3, 4, 5});
  xt::xarray<double> values = xt::arange<double>(60).reshape({3, 4, 5});
  array.write(as_view(values));
  xt::xarray<double, xt::layout_type::column_major> other(std::vector<std::size_t>{3, 4, 5});
  array.read(as_view(other));
  return values == other ? 0 : 1;
}
