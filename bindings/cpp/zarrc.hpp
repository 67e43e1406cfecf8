/*
 * zarrc for C++17: Zarr arrays as values that own what they hold.
 *
 *     zarrc::store store("first.zarr", zarrc::mode::overwrite);
 *     auto array = store.create_array<double>("field", {4, 6});
 *     array.write(field);                                    // any contiguous range
 *     array.read(zarrc::box({1, 2}, {2, 3}), part);
 *     array.attributes().set("units", "K");
 *
 * Header only; link zarrc::zarrc. Handles can be moved, not copied, and used by any number of
 * threads at once. What fails throws zarrc::error. With ZARRC_NO_EXCEPTIONS (and with
 * -fno-exceptions) it returns a zarrc::result<T> instead, and stores are opened by store::open().
 * Everything is inline over the functions of zarrc.h, to which every handle gives access by get().
 */
#ifndef ZARRC_HPP
#define ZARRC_HPP

#include "zarrc_attributes.hpp"
#include "zarrc_coroutine.hpp"
#include "zarrc_core.hpp"
#include "zarrc_request.hpp"
#include "zarrc_selection.hpp"

#include <functional>
#include <optional>
#include <string_view>

namespace zarrc {

/// The version of the library that is running; ZARRC_VERSION is that of the header.
inline const char *version() noexcept { return zarrc_version(); }

/// What this build can do, as JSON.
inline returns<std::string> build_info() { return detail::text(zarrc_build_info); }

/// "float32", and the bytes of an element of a type; 0 where they differ or parameters say.
inline const char *name_of(data_type type) noexcept {
  return zarrc_data_type_name(static_cast<zarrc_data_type>(type));
}
inline std::size_t size_of(data_type type) noexcept {
  return zarrc_data_type_size(static_cast<zarrc_data_type>(type));
}

// ---- options ----------------------------------------------------------------------------------

/// Named settings of a store: options{{"threads", "4"}, {"sync", "yes"}}. build_info() lists them.
using options = std::vector<std::pair<std::string, std::string>>;

namespace detail {
using options_handle = std::unique_ptr<zarrc_options, freed<zarrc_options_free>>;

inline options_handle make_options(calls &c, const options &settings) {
  options_handle made(settings.empty() ? nullptr : zarrc_options_new());
  if (!settings.empty() && !made)
    c.fail(ZARRC_OUT_OF_MEMORY, "no memory for options");
  for (const auto &[name, value] : settings)
    c(zarrc_options_set, made.get(), name.c_str(), value.c_str());
  return made;
}
} // namespace detail

// ---- arrays -----------------------------------------------------------------------------------

/// Elements of variable length that were read: a range of std::string_view.
class strings {
public:
  explicit strings(zarrc_vlen *values) : values_(values) {}
  zarrc_vlen *get() const noexcept { return values_.get(); }
  std::size_t size() const noexcept { return zarrc_vlen_count(get()); }
  std::string_view operator[](std::size_t n) const {
    const std::uint64_t *offsets = zarrc_vlen_offsets(get());
    return {reinterpret_cast<const char *>(zarrc_vlen_bytes(get())) + offsets[n],
            static_cast<std::size_t>(offsets[n + 1] - offsets[n])};
  }
  class iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string_view *;
    using reference = std::string_view;
    iterator(const strings *of, std::size_t n) : of_(of), n_(n) {}
    std::string_view operator*() const { return (*of_)[n_]; }
    iterator &operator++() { return ++n_, *this; }
    iterator operator++(int) { return {of_, n_++}; }
    friend bool operator==(iterator a, iterator b) { return a.n_ == b.n_; }
    friend bool operator!=(iterator a, iterator b) { return a.n_ != b.n_; }

  private:
    const strings *of_;
    std::size_t n_;
  };
  iterator begin() const { return {this, 0}; }
  iterator end() const { return {this, size()}; }

private:
  std::unique_ptr<zarrc_vlen, detail::freed<zarrc_vlen_free>> values_;
};

/// The chunks of an array (its shards, if it has them) as boxes: for (const auto &part :
/// array.chunks()).
class chunk_range {
public:
  chunk_range(const zarrc_array *array, extents counts)
      : array_(array), counts_(std::move(counts)) {}
  std::uint64_t size() const noexcept { return counts_.product(); }
  /// How many along each dimension.
  const extents &counts() const noexcept { return counts_; }
  returns<box> at(const extents &index) const {
    box part(extents(counts_.size(), nullptr), extents(counts_.size(), nullptr));
    return detail::calls()(zarrc_array_chunk_bounds, array_, index.size(), index.data(),
                           part.start.data(), part.count.data())
        .give([&] { return std::move(part); });
  }
  class iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = box;
    using difference_type = std::ptrdiff_t;
    using pointer = const box *;
    using reference = returns<box>;
    iterator(const chunk_range *of, std::uint64_t n)
        : of_(of), n_(n), index_(of->counts_.size(), nullptr) {}
    returns<box> operator*() const { return of_->at(index_); }
    const extents &index() const noexcept { return index_; }
    iterator &operator++() {
      n_++;
      for (std::size_t d = index_.size(); d-- > 0;) {
        if (++index_[d] < of_->counts_[d])
          break;
        index_[d] = 0;
      }
      return *this;
    }
    friend bool operator==(const iterator &a, const iterator &b) { return a.n_ == b.n_; }
    friend bool operator!=(const iterator &a, const iterator &b) { return a.n_ != b.n_; }

  private:
    const chunk_range *of_;
    std::uint64_t n_;
    extents index_;
  };
  iterator begin() const { return {this, 0}; }
  iterator end() const { return {this, size()}; }

private:
  const zarrc_array *array_;
  extents counts_;
};

/// An open array of any type. Closed at its end; close() tells what went wrong with the last write.
class array {
public:
  explicit array(zarrc_array *handle) : handle_(handle) {}
  zarrc_array *get() const noexcept { return handle_.get(); }

  std::size_t rank() const noexcept { return zarrc_array_rank(get()); }
  data_type type() const noexcept { return static_cast<data_type>(zarrc_array_data_type(get())); }
  zarrc::format format() const noexcept {
    return static_cast<zarrc::format>(zarrc_array_format(get()));
  }
  /// Bytes of an element in memory; 0 where they have a length of their own.
  std::size_t element_size() const noexcept { return zarrc_array_element_size(get()); }
  returns<extents> shape() const { return extents_of(zarrc_array_shape); }
  returns<extents> chunk_shape() const { return extents_of(zarrc_array_chunk_shape); }
  returns<extents> shard_shape() const { return extents_of(zarrc_array_shard_shape); }
  returns<chunk_range> chunks() const {
    extents counts(rank(), nullptr);
    detail::calls c;
    c(zarrc_array_chunk_counts, get(), counts.size(), counts.data());
    return c.give([&] { return chunk_range(get(), std::move(counts)); });
  }
  returns<std::string> metadata_json() const {
    return detail::text(zarrc_array_metadata_json, get());
  }
  returns<std::string> fill_value_json() const {
    return detail::text(zarrc_array_fill_value_json, get());
  }
  template <class T> returns<T> fill_value() const {
    T value{};
    return detail::calls()(zarrc_array_fill_value, get(), static_cast<void *>(&value), sizeof value)
        .give([&] { return value; });
  }
  attributes_view attributes() const noexcept {
    return attributes_view(zarrc_array_attributes(get()));
  }
  /// None for a dimension without a name.
  returns<std::optional<std::string>> dimension_name(std::size_t dimension) const {
    const char *name = nullptr;
    return detail::calls()(zarrc_array_dimension_name, get(), dimension, &name).give([&] {
      return name ? std::optional<std::string>(name) : std::nullopt;
    });
  }
  returns<std::string> data_type_text() const {
    return detail::text(zarrc_array_data_type_text, get());
  }
  returns<std::string> codecs_json() const { return detail::text(zarrc_array_codecs_json, get()); }
  /// Everything that is known of the array; sizes are asked of the store.
  returns<std::string> info_json() const { return detail::text(zarrc_array_info_json, get()); }
  returns<std::string> path() const { return detail::text(zarrc_array_path, get()); }
  returns<std::string> store_name() const { return detail::text(zarrc_array_store_name, get()); }
  char order() const noexcept { return zarrc_array_order(get()); }
  char separator() const noexcept { return zarrc_array_separator(get()); }
  returns<std::string> chunk_key(const extents &index) const {
    return detail::text(zarrc_array_chunk_key, get(), index.size(), index.data());
  }
  /// Of the elements, whatever the format; or of what is stored. "sha1" or "sha256".
  returns<std::string> content_digest(const std::string &algorithm) const {
    return detail::text(zarrc_array_content_digest, get(), algorithm.c_str());
  }
  returns<std::string> stored_digest(const std::string &algorithm) const {
    return detail::text(zarrc_array_stored_digest, get(), algorithm.c_str());
  }
  /// Calls `visit(const extents &index, const char *key, std::uint64_t bytes)` for each chunk that
  /// is stored; false ends the visit.
  template <class F> returns<void> visit_chunks(F visit) const {
    const std::size_t dimensions = rank();
    auto each = [&](const std::uint64_t *index, const char *key, std::uint64_t bytes) {
      return visit(extents(index, index + dimensions), key, bytes);
    };
    detail::called_back<decltype(each)> guard(each);
    detail::calls c;
    c(
        zarrc_array_visit_chunks, get(), dimensions, nullptr, nullptr,
        +[](void *user, const std::uint64_t *index, const char *key, std::uint64_t bytes) {
          return (*static_cast<detail::called_back<decltype(each)> *>(user))(index, key, bytes);
        },
        static_cast<void *>(&guard));
    guard.rethrow();
    return c.end();
  }
  /// Names CF's missing value in the attribute _FillValue. `value` is of the stored type.
  template <class T> returns<void> set_missing_value(T value) {
    return detail::calls()(zarrc_array_set_missing_value, get(),
                           static_cast<const void *>(&value), sizeof value)
        .end();
  }

  // Contiguous memory, last dimension fastest; its size is checked. Numbers of another type are
  // converted, each checked.

  template <class R, std::enable_if_t<detail::is_range<R>::value, int> = 0>
  returns<void> read(R &&to) const {
    return read_raw(nullptr, std::data(to), std::size(to));
  }
  template <class R, std::enable_if_t<detail::is_range<R>::value, int> = 0>
  returns<void> read(const box &part, R &&to) const {
    return read_raw(&part, std::data(to), std::size(to));
  }
  template <class R, std::enable_if_t<detail::is_range<R>::value, int> = 0>
  returns<void> write(const R &from) {
    return write_raw(nullptr, std::data(from), std::size(from));
  }
  template <class R, std::enable_if_t<detail::is_range<R>::value, int> = 0>
  returns<void> write(const box &part, const R &from) {
    return write_raw(&part, std::data(from), std::size(from));
  }

  // Memory of any layout, whose shape says how many elements: from `start` on (empty: the origin),
  // some steps apart.

  template <class T>
  returns<void> read(const view<T> &to, const extents &start = {}, const extents &step = {}) const {
    detail::calls c;
    if (ranks(c, to.shape().size(), start.size(), step.size()))
      c(zarrc_array_read_strided, get(), given(start), given(step), to.shape().data(),
        type_number<T>(), static_cast<void *>(to.data()), to.strides());
    return c.end();
  }
  template <class T>
  returns<void> write(const view<T> &from, const extents &start = {}, const extents &step = {}) {
    detail::calls c;
    if (ranks(c, from.shape().size(), start.size(), step.size()))
      c(zarrc_array_write_strided, get(), given(start), given(step), from.shape().data(),
        type_number<T>(), static_cast<const void *>(from.data()), from.strides());
    return c.end();
  }

  // What a selection selects: auto part = array.select(zarrc::all, zarrc::list{4, 1});

  template <class... P> returns<selection> select(const P &...parts) const {
    return selection::of(get(), parts...);
  }
  template <class R, std::enable_if_t<detail::is_range<R>::value, int> = 0>
  returns<void> read(const selection &part, R &&to) const {
    detail::calls c;
    part.check(c, std::size(to));
    return c(zarrc_array_read_selection, get(), part.get(),
             type_number<detail::element_of<R>>(), static_cast<void *>(std::data(to)), nullptr,
             std::size(to) * sizeof(*std::data(to)))
        .end();
  }
  template <class R, std::enable_if_t<detail::is_range<R>::value, int> = 0>
  returns<void> write(const selection &part, const R &from) {
    detail::calls c;
    part.check(c, std::size(from));
    return c(zarrc_array_write_selection, get(), part.get(),
             type_number<detail::element_of<const R>>(),
             static_cast<const void *>(std::data(from)), nullptr,
             std::size(from) * sizeof(*std::data(from)))
        .end();
  }
  template <class T> returns<void> read(const selection &part, const view<T> &to) const {
    detail::calls c;
    part.check(c, to.shape());
    return c(zarrc_array_read_selection, get(), part.get(), type_number<T>(),
             static_cast<void *>(to.data()), to.strides(), to.size_bytes())
        .end();
  }
  template <class T> returns<void> write(const selection &part, const view<T> &from) {
    detail::calls c;
    part.check(c, from.shape());
    return c(zarrc_array_write_selection, get(), part.get(), type_number<T>(),
             static_cast<const void *>(from.data()), from.strides(), from.size_bytes())
        .end();
  }
  /// One element for all of the array, or of what is selected.
  template <class T> returns<void> fill(T value) { return fill_raw(nullptr, value); }
  template <class T> returns<void> fill(const selection &part, T value) {
    return fill_raw(part.get(), value);
  }

  // The same without waiting. Memory must stay as it is until the request is done.

  template <class R, std::enable_if_t<detail::is_range<R>::value, int> = 0>
  returns<request> read_start(R &&to) const {
    zarrc_request *out = nullptr;
    return detail::calls()(zarrc_array_read_start, get(), nullptr, nullptr,
                           type_number<detail::element_of<R>>(), static_cast<void *>(std::data(to)),
                           std::size(to) * sizeof(*std::data(to)), &out)
        .give([&] { return request(out); });
  }
  template <class R, std::enable_if_t<detail::is_range<R>::value, int> = 0>
  returns<request> write_start(const R &from) {
    zarrc_request *out = nullptr;
    return detail::calls()(zarrc_array_write_start, get(), nullptr, nullptr,
                           type_number<detail::element_of<const R>>(),
                           static_cast<const void *>(std::data(from)),
                           std::size(from) * sizeof(*std::data(from)), &out)
        .give([&] { return request(out); });
  }
  template <class R, std::enable_if_t<detail::is_range<R>::value, int> = 0>
  returns<request> read_start(const selection &part, R &&to) const {
    detail::calls c;
    part.check(c, std::size(to));
    zarrc_request *out = nullptr;
    return c(zarrc_array_read_selection_start, get(), part.get(),
             type_number<detail::element_of<R>>(), static_cast<void *>(std::data(to)), nullptr,
             std::size(to) * sizeof(*std::data(to)), &out)
        .give([&] { return request(out); });
  }
  template <class R, std::enable_if_t<detail::is_range<R>::value, int> = 0>
  returns<request> write_start(const selection &part, const R &from) {
    detail::calls c;
    part.check(c, std::size(from));
    zarrc_request *out = nullptr;
    return c(zarrc_array_write_selection_start, get(), part.get(),
             type_number<detail::element_of<const R>>(),
             static_cast<const void *>(std::data(from)), nullptr,
             std::size(from) * sizeof(*std::data(from)), &out)
        .give([&] { return request(out); });
  }

  // Elements of variable length: strings, byte strings, runs, JSON.

  returns<zarrc::strings> read_strings(const selection &part) const {
    zarrc_vlen *values = nullptr;
    return detail::calls()(zarrc_array_read_selection_vlen, get(), part.get(), &values).give([&] {
      return zarrc::strings(values);
    });
  }
  template <class R> returns<void> write_strings(const selection &part, const R &range) {
    const detail::joined elements(range);
    detail::calls c;
    part.check(c, elements.size());
    return c(zarrc_array_write_selection_vlen, get(), part.get(), elements.offsets(),
             elements.bytes())
        .end();
  }

  returns<zarrc::strings> read_strings() const { return read_variable(nullptr, nullptr); }
  returns<zarrc::strings> read_strings(const box &part) const {
    return read_variable(part.start.data(), part.count.data());
  }
  /// A range of what std::string_view can be made of, in C order.
  template <class R> returns<void> write_strings(const R &range) {
    return write_variable(nullptr, nullptr, range);
  }
  template <class R> returns<void> write_strings(const box &part, const R &range) {
    return write_variable(part.start.data(), part.count.data(), range);
  }

  /// Appends a block along one dimension: `count` is its shape.
  template <class R, std::enable_if_t<detail::is_range<R>::value, int> = 0>
  returns<void> append(std::size_t axis, const extents &count, const R &from) {
    detail::calls c;
    if (ranks(c, count.size(), 0, 0))
      c(zarrc_array_append, get(), axis, count.data(), type_number<detail::element_of<const R>>(),
        static_cast<const void *>(std::data(from)), std::size(from) * sizeof(*std::data(from)));
    return c.end();
  }
  template <class R>
  returns<void> append_strings(std::size_t axis, const extents &count, const R &range) {
    const detail::joined joined(range);
    detail::calls c;
    if (ranks(c, count.size(), 0, 0) && joined.size() != count.product())
      c.fail(ZARRC_INVALID_ARGUMENT, "the block and the range have different numbers of elements");
    return c(zarrc_array_append_vlen, get(), axis, count.data(), joined.offsets(),
             joined.bytes())
        .end();
  }
  /// Makes the array at least as large; nothing is ever cut.
  returns<void> grow(const extents &shape) {
    return detail::calls()(zarrc_array_grow, get(), shape.size(), shape.data()).end();
  }
  /// Reads the document again: the shape that others gave the array, its attributes.
  returns<void> refresh() { return detail::calls()(zarrc_array_refresh, get()).end(); }
  returns<void> resize(const extents &shape) {
    return detail::calls()(zarrc_array_resize, get(), shape.size(), shape.data()).end();
  }
  returns<void> flush() { return detail::calls()(zarrc_array_flush, get()).end(); }
  returns<void> close() { return detail::calls()(zarrc_array_close, handle_.release()).end(); }
  /// Gives the handle away, to be closed by zarrc_array_close().
  zarrc_array *release() noexcept { return handle_.release(); }

private:
  template <class F> returns<extents> extents_of(F function) const {
    extents out(rank(), nullptr);
    detail::calls c;
    c(function, get(), out.size(), out.data());
    return c.give([&] { return std::move(out); });
  }
  static const std::uint64_t *given(const extents &e) { return e.size() ? e.data() : nullptr; }
  bool ranks(detail::calls &c, std::size_t memory, std::size_t start, std::size_t step) const {
    const std::size_t own = rank();
    if (memory != own || (start && start != own) || (step && step != own))
      c.fail(ZARRC_INVALID_ARGUMENT,
             ("rank: the array has " + std::to_string(own) + " dimensions").c_str());
    return c.ok();
  }
  bool contiguous(detail::calls &c, const box &part, std::size_t size) const {
    if (ranks(c, part.count.size(), part.start.size(), part.step.size()) && part.size() != size)
      c.fail(ZARRC_INVALID_ARGUMENT, ("the box has " + std::to_string(part.size()) +
                                      " elements, memory " + std::to_string(size))
                                         .c_str());
    return c.ok();
  }
  template <class T> returns<void> read_raw(const box *part, T *to, std::size_t size) const {
    detail::calls c;
    if (!part)
      c(zarrc_array_read, get(), nullptr, nullptr, type_number<T>(), static_cast<void *>(to),
        size * sizeof(T));
    else if (contiguous(c, *part, size) && !part->step.size())
      c(zarrc_array_read, get(), given(part->start), part->count.data(), type_number<T>(),
        static_cast<void *>(to), size * sizeof(T));
    else
      c(zarrc_array_read_strided, get(), given(part->start), part->step.data(), part->count.data(),
        type_number<T>(), static_cast<void *>(to), nullptr);
    return c.end();
  }
  template <class T> returns<void> write_raw(const box *part, const T *from, std::size_t size) {
    detail::calls c;
    if (!part)
      c(zarrc_array_write, get(), nullptr, nullptr, type_number<T>(),
        static_cast<const void *>(from), size * sizeof(T));
    else if (contiguous(c, *part, size) && !part->step.size())
      c(zarrc_array_write, get(), given(part->start), part->count.data(), type_number<T>(),
        static_cast<const void *>(from), size * sizeof(T));
    else
      c(zarrc_array_write_strided, get(), given(part->start), part->step.data(), part->count.data(),
        type_number<T>(), static_cast<const void *>(from), nullptr);
    return c.end();
  }
  template <class T> returns<void> fill_raw(const zarrc_selection *part, const T &value) {
    if constexpr (std::is_convertible_v<const T &, std::string_view>) {
      const std::string_view text(value);
      return detail::calls()(zarrc_array_fill, get(), part,
                             static_cast<zarrc_data_type>(ZARRC_NATIVE),
                             static_cast<const void *>(text.data()), text.size())
          .end();
    } else {
      return detail::calls()(zarrc_array_fill, get(), part, type_number<T>(),
                             static_cast<const void *>(&value), sizeof value)
          .end();
    }
  }
  returns<zarrc::strings> read_variable(const std::uint64_t *start,
                                        const std::uint64_t *count) const {
    zarrc_vlen *values = nullptr;
    return detail::calls()(zarrc_array_read_vlen, get(), start, count, &values).give([&] {
      return zarrc::strings(values);
    });
  }
  template <class R>
  returns<void> write_variable(const std::uint64_t *start, const std::uint64_t *count,
                               const R &range) {
    const detail::joined joined(range);
    detail::calls c;
    std::uint64_t elements = 1;
    if (count) {
      for (std::size_t n = 0; n < rank(); n++)
        elements *= count[n];
    } else {
      extents own(rank(), nullptr);
      c(zarrc_array_shape, get(), own.size(), own.data());
      elements = own.product();
    }
    if (c.ok() && joined.size() != elements)
      c.fail(ZARRC_INVALID_ARGUMENT, ("the box has " + std::to_string(elements) +
                                      " elements, the range " + std::to_string(joined.size()))
                                         .c_str());
    return c(zarrc_array_write_vlen, get(), start, count, joined.offsets(),
             joined.bytes())
        .end();
  }

  std::unique_ptr<zarrc_array, detail::closed<zarrc_array_close>> handle_;
};

/// An array whose elements are T in memory: reads need no buffer.
template <class T> class typed_array : public array {
public:
  using value_type = T;
  using array::array;
  using array::read;
  using array::read_start;
  using array::write;

  /// All of it, or a box, as a vector in C order.
  returns<std::vector<T>> read() const {
    extents own(rank(), nullptr);
    detail::calls c;
    c(zarrc_array_shape, get(), own.size(), own.data());
    return filled(c, own.product(), nullptr);
  }
  returns<std::vector<T>> read(const box &part) const {
    detail::calls c;
    if (part.count.size() != rank())
      c.fail(ZARRC_INVALID_ARGUMENT,
             "rank: the box has another number of dimensions than the array");
    return filled(c, part.size(), &part);
  }
  /// What a selection selects, as a vector in C order; or without waiting.
  returns<std::vector<T>> read(const selection &part) const {
    std::vector<T> out(part.size());
    detail::calls c;
    c(zarrc_array_read_selection, get(), part.get(), type_number<T>(),
      static_cast<void *>(out.data()), nullptr, out.size() * sizeof(T));
    return c.give([&] { return std::move(out); });
  }
  returns<reading<T>> read_start(const selection &part) const {
    std::vector<T> out(part.size());
    zarrc_request *started = nullptr;
    detail::calls c;
    c(zarrc_array_read_selection_start, get(), part.get(), type_number<T>(),
      static_cast<void *>(out.data()), nullptr, out.size() * sizeof(T), &started);
    return c.give([&] { return reading<T>(std::move(out), request(started)); });
  }
  returns<T> fill_value() const {
    T value{};
    return detail::calls()(zarrc_array_fill_value, get(), static_cast<void *>(&value), sizeof value)
        .give([&] { return value; });
  }

private:
  returns<std::vector<T>> filled(detail::calls &c, std::uint64_t size, const box *part) const {
    static_assert(!std::is_same_v<T, bool>,
                  "std::vector<bool> has no memory of its own: read into an array of bool");
    std::vector<T> out(c.ok() ? size : 0);
    if (c.ok())
      c(zarrc_array_read_strided, get(), part && part->start.size() ? part->start.data() : nullptr,
        part && part->step.size() ? part->step.data() : nullptr,
        part ? part->count.data() : nullptr, type_number<T>(), static_cast<void *>(out.data()),
        nullptr);
    return c.give([&] { return std::move(out); });
  }
};

} // namespace zarrc

#include "zarrc_store.hpp"

#include "zarrc_operations.hpp"
#include "zarrc_writer.hpp"

#endif
