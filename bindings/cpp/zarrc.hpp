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

#include "zarrc_core.hpp"

#include <functional>
#include <optional>
#include <string_view>

namespace zarrc {

/// The version of the library that is running; ZARRC_VERSION is that of the header.
inline const char *version() noexcept { return zarrc_version(); }

/// What this build can do, as JSON.
inline returns<std::string> build_info() { return detail::text(zarrc_build_info); }

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

// ---- attributes -------------------------------------------------------------------------------

/// The attributes of an open node, written through at once. Good as long as the node is open.
class attributes_view {
public:
  explicit attributes_view(zarrc_attributes *handle) : handle_(handle) {}
  zarrc_attributes *get() const noexcept { return handle_; }

  /// All of them as the text of a JSON object; the value of one as JSON.
  returns<std::string> json() const { return detail::text(zarrc_attributes_json, handle_); }
  returns<std::string> json(const std::string &key) const {
    return detail::text(zarrc_attributes_get_json, handle_, key.c_str());
  }
  returns<void> set_json(const std::string &key, const std::string &json) {
    return detail::calls()(zarrc_attributes_set_json, handle_, key.c_str(), json.c_str()).end();
  }
  returns<void> replace_json(const std::string &json) {
    return detail::calls()(zarrc_attributes_replace_json, handle_, json.c_str()).end();
  }

  returns<void> set(const std::string &key, std::string_view text) {
    return detail::calls()(zarrc_attributes_set_string, handle_, key.c_str(),
                           std::string(text).c_str())
        .end();
  }
  returns<void> set(const std::string &key, const char *text) {
    return set(key, std::string_view(text));
  }
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  returns<void> set(const std::string &key, T value) {
    detail::calls c;
    if constexpr (std::is_same_v<T, bool>)
      c(zarrc_attributes_set_bool, handle_, key.c_str(), value);
    else if constexpr (std::is_same_v<T, float>)
      c(zarrc_attributes_set_float, handle_, key.c_str(), value);
    else if constexpr (std::is_floating_point_v<T>)
      c(zarrc_attributes_set_double, handle_, key.c_str(), static_cast<double>(value));
    else if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8)
      c(zarrc_attributes_set_json, handle_, key.c_str(), std::to_string(value).c_str());
    else
      c(zarrc_attributes_set_int64, handle_, key.c_str(), static_cast<std::int64_t>(value));
    return c.end();
  }

  /// A list of numbers: any contiguous range.
  template <class R, std::enable_if_t<detail::is_range<R>::value &&
                                          !std::is_convertible_v<const R &, std::string_view>,
                                      int> = 0>
  returns<void> set(const std::string &key, const R &list) {
    using T = std::remove_cv_t<detail::element_of<const R>>;
    using stored = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
    static_assert(std::is_floating_point_v<T> || sizeof(T) < 8 || std::is_signed_v<T>,
                  "no lists of uint64_t: set_json()");
    if constexpr (!std::is_same_v<T, stored>)
      return set(key, std::vector<stored>(std::begin(list), std::end(list)));
    else if constexpr (std::is_floating_point_v<T>)
      return detail::calls()(zarrc_attributes_set_doubles, handle_, key.c_str(), std::size(list),
                             std::data(list))
          .end();
    else
      return detail::calls()(zarrc_attributes_set_int64s, handle_, key.c_str(), std::size(list),
                             std::data(list))
          .end();
  }
  returns<void> set(const std::string &key, const std::vector<std::string> &list) {
    std::vector<const char *> texts;
    for (const std::string &text : list)
      texts.push_back(text.c_str());
    return detail::calls()(zarrc_attributes_set_strings, handle_, key.c_str(), texts.size(),
                           texts.data())
        .end();
  }
  returns<void> set_null(const std::string &key) {
    return detail::calls()(zarrc_attributes_set_null, handle_, key.c_str()).end();
  }
  /// Writes all attributes of another set at once.
  returns<void> update(const attributes_view &others) {
    return detail::calls()(zarrc_attributes_update, handle_, others.get()).end();
  }
  returns<std::vector<std::string>> names() const {
    detail::calls c;
    std::size_t count = 0;
    c(zarrc_attributes_count, handle_, &count);
    std::vector<std::string> found;
    for (std::size_t n = 0; n < count && c.ok(); n++) {
      char *name = nullptr;
      c(zarrc_attributes_name, handle_, n, &name);
      detail::owned_string own(name);
      if (c.ok())
        found.emplace_back(name);
    }
    return c.give([&] { return std::move(found); });
  }
  /// What an attribute is, and how many elements a list has.
  returns<std::pair<attribute_kind, std::size_t>> kind(const std::string &key) const {
    zarrc_attribute_kind kind{};
    std::size_t count = 0;
    return detail::calls()(zarrc_attributes_kind, handle_, key.c_str(), &kind, &count).give([&] {
      return std::make_pair(static_cast<attribute_kind>(kind), count);
    });
  }
  /// Lists: get_list<double>("x"), of double, std::int64_t or std::string.
  template <class T> returns<std::vector<T>> get_list(const std::string &key) const {
    detail::calls c;
    zarrc_attribute_kind kind{};
    std::size_t count = 0;
    c(zarrc_attributes_kind, handle_, key.c_str(), &kind, &count);
    std::vector<T> list(c.ok() ? count : 0);
    if constexpr (std::is_same_v<T, double>) {
      c(zarrc_attributes_get_doubles, handle_, key.c_str(), list.size(), list.data(), &count);
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      c(zarrc_attributes_get_int64s, handle_, key.c_str(), list.size(), list.data(), &count);
    } else {
      static_assert(std::is_same_v<T, std::string>,
                    "lists of double, std::int64_t and std::string");
      for (std::size_t n = 0; n < list.size() && c.ok(); n++) {
        char *text = nullptr;
        c(zarrc_attributes_get_string_at, handle_, key.c_str(), n, &text);
        detail::owned_string own(text);
        if (c.ok())
          list[n] = text;
      }
    }
    return c.give([&] { return std::move(list); });
  }

  /// get<double>("x"), get<int>("n"), get<bool>("b"), get<std::string>("units")
  template <class T> returns<T> get(const std::string &key) const {
    detail::calls c;
    if constexpr (std::is_same_v<T, std::string>) {
      return detail::text(zarrc_attributes_get_string, handle_, key.c_str());
    } else if constexpr (std::is_floating_point_v<T>) {
      double value = 0;
      c(zarrc_attributes_get_double, handle_, key.c_str(), &value);
      return c.give([&] { return static_cast<T>(value); });
    } else if constexpr (std::is_same_v<T, bool>) {
      bool value = false;
      return c(zarrc_attributes_get_bool, handle_, key.c_str(), &value).give([&] { return value; });
    } else {
      static_assert(std::is_integral_v<T>, "numbers, bool and strings; json() has the rest");
      std::int64_t value = 0;
      c(zarrc_attributes_get_int64, handle_, key.c_str(), &value);
      if (c.ok() && (static_cast<std::int64_t>(static_cast<T>(value)) != value ||
                     (std::is_unsigned_v<T> && value < 0)))
        c.fail(ZARRC_TYPE_MISMATCH, ("attribute " + key + " does not fit this type").c_str());
      return c.give([&] { return static_cast<T>(value); });
    }
  }
  returns<bool> contains(const std::string &key) const {
    detail::calls c;
    char *json = nullptr;
    c(zarrc_attributes_get_json, handle_, key.c_str(), &json);
    detail::owned_string own(json);
    if (c.status() == ZARRC_NOT_FOUND)
      return false;
    return c.give([] { return true; });
  }
  returns<void> erase(const std::string &key) {
    return detail::calls()(zarrc_attributes_delete, handle_, key.c_str()).end();
  }

private:
  zarrc_attributes *handle_;
};

/// Attributes that belong to no node: filled first, then written at once by
/// attributes_view::update(), or with a new array.
class attribute_set : public attributes_view {
public:
  explicit attribute_set(zarrc_attributes *handle) : attributes_view(handle), own_(handle) {}
  static returns<attribute_set> make() {
    zarrc_attributes *out = nullptr;
    return detail::calls()(zarrc_attributes_new, &out).give([&] { return attribute_set(out); });
  }

private:
  std::unique_ptr<zarrc_attributes, detail::freed<zarrc_attributes_free>> own_;
};

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

/// The chunks of an array (its shards, where there are some) as boxes: for (const auto &part :
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

  // Elements of variable length: strings, byte strings, runs, JSON.

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
    std::vector<std::uint64_t> offsets{0};
    std::string bytes;
    for (const auto &element : range) {
      bytes += std::string_view(element);
      offsets.push_back(bytes.size());
    }
    detail::calls c;
    if (ranks(c, count.size(), 0, 0) && offsets.size() - 1 != count.product())
      c.fail(ZARRC_INVALID_ARGUMENT, "the block and the range have different numbers of elements");
    return c(zarrc_array_append_vlen, get(), axis, count.data(), offsets.data(),
             reinterpret_cast<const std::uint8_t *>(bytes.data()))
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
    std::vector<std::uint64_t> offsets{0};
    std::string bytes;
    for (const auto &element : range) {
      bytes += std::string_view(element);
      offsets.push_back(bytes.size());
    }
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
    if (c.ok() && offsets.size() - 1 != elements)
      c.fail(ZARRC_INVALID_ARGUMENT, ("the box has " + std::to_string(elements) +
                                      " elements, the range " + std::to_string(offsets.size() - 1))
                                         .c_str());
    return c(zarrc_array_write_vlen, get(), start, count, offsets.data(),
             reinterpret_cast<const std::uint8_t *>(bytes.data()))
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

#endif
