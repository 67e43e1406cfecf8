// Eigen: matrices of either order, and blocks of them, without copies.
#include <Eigen/Dense>
#include <zarrc.hpp>

template <class D> auto as_view(Eigen::DenseBase<D> &matrix) {
  D &m = matrix.derived();
  const std::ptrdiff_t row = D::IsRowMajor ? m.outerStride() : m.innerStride();
  const std::ptrdiff_t column = D::IsRowMajor ? m.innerStride() : m.outerStride();
  return zarrc::view<std::remove_pointer_t<decltype(m.data())>>(m.data(), {m.rows(), m.cols()},
                                                                {row, column});
}

int main() {
  zarrc::store store("memory:", zarrc::mode::append);
  auto array = store.create_array<double>("a", {4, 6});
  Eigen::MatrixXd columns = Eigen::MatrixXd::Random(4, 6); // column-major
  array.write(as_view(columns));
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows(4, 6);
  array.read(as_view(rows));
  if (!rows.isApprox(columns.cast<float>()))
    return 1;
  Eigen::MatrixXd large = Eigen::MatrixXd::Zero(10, 10);
  auto block = large.block(3, 2, 2, 3);
  array.read(as_view(block), {1, 2});
  return block == columns.block(1, 2, 2, 3) && large.sum() == block.sum() ? 0 : 2;
}
