// What is read or written of an array. Include zarrc.hpp.
#ifndef ZARRC_SELECTION_HPP
#define ZARRC_SELECTION_HPP

#include "zarrc_core.hpp"

namespace zarrc {

// For each dimension one of these:

/// All of a dimension.
struct all_t {};
inline constexpr all_t all{};

/// `count` indices from `start` on, `step` apart; a step may be negative.
struct range {
  std::uint64_t start, count;
  std::int64_t step = 1;
};

/// One index, which drops the dimension.
struct index {
  std::uint64_t at;
};

/// Listed indices, in any order, repeated or not.
struct list {
  std::vector<std::uint64_t> indices;
  list(std::initializer_list<std::uint64_t> indices) : indices(indices) {}
  template <class R, class = decltype(std::declval<const R &>().begin())>
  explicit list(const R &range) : indices(range.begin(), range.end()) {}
};

/// The indices of which a range of flags, as long as the dimension, holds true.
struct mask {
  std::vector<std::uint8_t> flags;
  mask(std::initializer_list<bool> flags) : flags(flags.begin(), flags.end()) {}
  template <class R, class = decltype(std::declval<const R &>().begin())>
  explicit mask(const R &range) {
    for (const auto flag : range)
      flags.push_back(flag ? 1 : 0);
  }
};

// Or alone:

/// Elements one by one: points{{0, 3}, {2, 1}}.
struct points {
  std::vector<extents> coordinates;
  points(std::initializer_list<extents> coordinates) : coordinates(coordinates) {}
  explicit points(std::vector<extents> coordinates) : coordinates(std::move(coordinates)) {}
};

/// The elements of which a range of flags, one for each element in C order, holds true.
struct element_mask : mask {
  using mask::mask;
};

/// Whole chunks (shards, if the array has them), by their own indices.
struct blocks {
  extents start, count;
};

/// What is selected of an array: array.select(zarrc::all, zarrc::list{4, 1}). It keeps the array
/// open, and may be used any number of times by any number of threads.
class selection {
public:
  zarrc_selection *get() const noexcept { return handle_.get(); }

  template <class... P>
  static returns<selection> of(const zarrc_array *array, const P &...parts) {
    detail::calls c;
    zarrc_selection *out = nullptr;
    c(zarrc_selection_new, array, &out);
    selection made(out);
    made.array_rank_ = zarrc_array_rank(array);
    if constexpr (sizeof...(P) == 1) {
      made.whole(c, zarrc_array_rank(array), parts...);
    } else if (c.ok() && sizeof...(P) != zarrc_array_rank(array)) {
      c.fail(ZARRC_INVALID_ARGUMENT, ("rank: the array has " +
                                      std::to_string(zarrc_array_rank(array)) + " dimensions")
                                         .c_str());
    } else {
      std::size_t dimension = 0;
      (made.set(c, dimension++, parts), ...);
    }
    return c.give([&] { return std::move(made); });
  }
  /// One field of elements of a struct type, beside what else is selected.
  returns<void> field(const std::string &name) {
    return detail::calls()(zarrc_selection_set_field, get(), name.c_str()).end();
  }
  std::size_t rank() const noexcept { return zarrc_selection_rank(get()); }
  /// The shape of the result.
  returns<extents> shape() const {
    detail::calls c;
    extents out = result(c);
    return c.give([&] { return std::move(out); });
  }
  /// How many elements it selects.
  std::size_t size() const noexcept {
    detail::calls c;
    return static_cast<std::size_t>(result(c).product());
  }

  /// The indices of `count` selected elements, in C order of the result, from the number `first` on,
  /// as points() takes them.
  returns<std::vector<extents>> coordinates(std::uint64_t first, std::size_t count) const {
    std::vector<std::uint64_t> flat(count * array_rank_);
    detail::calls c;
    c(zarrc_selection_coordinates, get(), array_rank_, first, count, flat.data());
    return c.give([&] {
      std::vector<extents> out;
      for (std::size_t n = 0; n < count; n++) {
        out.emplace_back(array_rank_, nullptr);
        std::copy_n(flat.data() + n * array_rank_, array_rank_, out.back().data());
      }
      return out;
    });
  }

  // Memory must hold the result.
  void check(detail::calls &c, std::size_t elements) const {
    const extents own = result(c);
    if (c.ok() && own.product() != elements)
      c.fail(ZARRC_INVALID_ARGUMENT, ("the selection has " + std::to_string(own.product()) +
                                      " elements, memory " + std::to_string(elements))
                                         .c_str());
  }
  void check(detail::calls &c, const extents &shape) const {
    if (c.ok() && result(c) != shape)
      c.fail(ZARRC_INVALID_ARGUMENT, "the selection has another shape than memory");
  }

private:
  explicit selection(zarrc_selection *handle) : handle_(handle) {}
  extents result(detail::calls &c) const {
    extents out(rank(), nullptr);
    c(zarrc_selection_shape, get(), out.size(), out.data());
    return out;
  }

  template <class P> void whole(detail::calls &c, std::size_t rank, const P &part) {
    if constexpr (std::is_same_v<P, points>) {
      std::vector<std::uint64_t> flat;
      for (const extents &point : part.coordinates) {
        if (point.size() != rank)
          return c.fail(ZARRC_INVALID_ARGUMENT, "a point has another number of dimensions");
        flat.insert(flat.end(), point.begin(), point.end());
      }
      c(zarrc_selection_set_points, get(), part.coordinates.size(), flat.data());
    } else if constexpr (std::is_same_v<P, element_mask>) {
      c(zarrc_selection_set_element_mask, get(), part.flags.data(), part.flags.size());
    } else if constexpr (std::is_same_v<P, blocks>) {
      if (part.start.size() != rank || part.count.size() != rank)
        return c.fail(ZARRC_INVALID_ARGUMENT, "blocks have another number of dimensions");
      c(zarrc_selection_set_blocks, get(), part.start.data(), part.count.data());
    } else {
      if (c.ok() && rank != 1)
        return c.fail(ZARRC_INVALID_ARGUMENT, "rank: the array has not one dimension");
      set(c, 0, part);
    }
  }
  void set(detail::calls &, std::size_t, all_t) {}
  void set(detail::calls &c, std::size_t dimension, const range &part) {
    c(zarrc_selection_set_range, get(), dimension, part.start, part.step, part.count);
  }
  void set(detail::calls &c, std::size_t dimension, const index &part) {
    c(zarrc_selection_set_index, get(), dimension, part.at);
  }
  void set(detail::calls &c, std::size_t dimension, const list &part) {
    c(zarrc_selection_set_indices, get(), dimension, part.indices.size(), part.indices.data());
  }
  void set(detail::calls &c, std::size_t dimension, const mask &part) {
    c(zarrc_selection_set_mask, get(), dimension, part.flags.size(), part.flags.data());
  }

  std::unique_ptr<zarrc_selection, detail::freed<zarrc_selection_free>> handle_;
  std::size_t array_rank_ = 0;
};

} // namespace zarrc

#endif
