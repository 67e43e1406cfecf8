// What the C++ binding stands on: errors, extents, views of memory, types. Include zarrc.hpp.
#ifndef ZARRC_CORE_HPP
#define ZARRC_CORE_HPP

#include <zarrc.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#if defined(__cpp_lib_span)
#include <span>
#endif
#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif

#include "zarrc_enums.hpp"

// Without exceptions every function that can fail returns a zarrc::result<T> in place of a T.
#if !defined(ZARRC_NO_EXCEPTIONS) && !defined(__cpp_exceptions)
#define ZARRC_NO_EXCEPTIONS
#endif

namespace zarrc {

// ---- errors -----------------------------------------------------------------------------------

/// What a call reports: a status (one of the ZARRC_ constants), errno or an HTTP status, a message.
class error : public std::exception {
public:
  explicit error(const zarrc_error &e)
      : status_(e.status), system_code_(e.system_code), message_(e.message) {}
  error(zarrc_status status, std::string message) : status_(status), message_(std::move(message)) {}

  zarrc_status status() const noexcept { return status_; }
  /// "ZARRC_NOT_FOUND"
  const char *name() const noexcept { return zarrc_status_name(status_); }
  int system_code() const noexcept { return system_code_; }
  const char *what() const noexcept override { return message_.c_str(); }

private:
  zarrc_status status_;
  std::int32_t system_code_ = 0;
  std::string message_;
};

/// A value or an error, as std::expected has it.
template <class T> class result {
public:
  using value_type = T;
  result(T value) : content_(std::move(value)) {}
  result(zarrc::error e) : content_(std::move(e)) {}

  bool has_value() const noexcept { return content_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  T &operator*() & { return *std::get_if<0>(&content_); }
  const T &operator*() const & { return *std::get_if<0>(&content_); }
  T operator*() && {
    return std::move(*std::get_if<0>(&content_));
  } // a value: lives on in `for (... : *call())`
  T *operator->() { return std::get_if<0>(&content_); }
  const T *operator->() const { return std::get_if<0>(&content_); }
  const zarrc::error &error() const { return *std::get_if<1>(&content_); }
  T value_or(T other) && { return has_value() ? std::move(**this) : std::move(other); }

private:
  std::variant<T, zarrc::error> content_;
};

template <> class result<void> {
public:
  result() = default;
  result(zarrc::error e) : error_(std::make_unique<zarrc::error>(std::move(e))) {}
  bool has_value() const noexcept { return !error_; }
  explicit operator bool() const noexcept { return has_value(); }
  const zarrc::error &error() const { return *error_; }

private:
  std::unique_ptr<zarrc::error> error_;
};

#ifdef ZARRC_NO_EXCEPTIONS
template <class T> using returns = result<T>;
#else
template <class T> using returns = T;
#endif

namespace detail {

/// Calls of C one after the other, up to the first that fails; then the value, or the error.
class calls {
public:
  template <class F, class... A> calls &operator()(F function, A... arguments) {
    if (status_ == ZARRC_OK)
      status_ = function(arguments..., &error_);
    return *this;
  }
  bool ok() const noexcept { return status_ == ZARRC_OK; }
  zarrc_status status() const noexcept { return status_; }
  void fail(zarrc_status status, const char *message) {
    status_ = error_.status = status;
    error_.system_code = 0;
    std::strncpy(error_.message, message, sizeof error_.message - 1);
    error_.message[sizeof error_.message - 1] = 0;
  }

  template <class F> auto give(F make) -> returns<decltype(make())> {
#ifdef ZARRC_NO_EXCEPTIONS
    if (!ok())
      return zarrc::error(error_);
    if constexpr (std::is_void_v<decltype(make())>) {
      make();
      return {};
    } else {
      return make();
    }
#else
    if (!ok())
      throw zarrc::error(error_);
    return make();
#endif
  }
  returns<void> end() {
    return give([] {});
  }

private:
  zarrc_status status_ = ZARRC_OK;
  zarrc_error error_; // filled by a call that fails
};

template <auto Free> struct freed {
  template <class T> void operator()(T *handle) const noexcept { Free(handle); }
};
template <auto Close> struct closed {
  template <class T> void operator()(T *handle) const noexcept { Close(handle, nullptr); }
};

struct string_freed {
  void operator()(char *text) const noexcept { zarrc_string_free(text); }
};
using owned_string = std::unique_ptr<char, string_freed>;

/// The text that a function gives through its last argument but the error.
template <class F, class... A> returns<std::string> text(F function, A... arguments) {
  calls c;
  char *out = nullptr;
  c(function, arguments..., &out);
  owned_string own(out);
  return c.give([&] { return std::string(own.get()); });
}

/// A function that C calls back. False, or an exception, ends the call of C; the exception is
/// thrown on by rethrow() once that is over.
template <class F> class called_back {
public:
  explicit called_back(F &function) : function_(function) {}
  template <class... A> bool operator()(A... arguments) noexcept {
#ifdef ZARRC_NO_EXCEPTIONS
    return goes_on(arguments...);
#else
    try {
      return goes_on(arguments...);
    } catch (...) {
      problem_ = std::current_exception();
      return false;
    }
#endif
  }
  void rethrow() {
    if (problem_)
      std::rethrow_exception(problem_);
  }

private:
  template <class... A> bool goes_on(A... arguments) {
    if constexpr (std::is_void_v<decltype(function_(arguments...))>)
      return function_(arguments...), true;
    else
      return function_(arguments...);
  }
  F &function_;
  std::exception_ptr problem_;
};

/// Elements of variable length one after the other, and where each begins.
class joined {
public:
  template <class R> explicit joined(const R &range) {
    for (const auto &element : range) {
      bytes_ += std::string_view(element);
      offsets_.push_back(bytes_.size());
    }
  }
  std::size_t size() const noexcept { return offsets_.size() - 1; }
  const std::uint64_t *offsets() const noexcept { return offsets_.data(); }
  const std::uint8_t *bytes() const noexcept {
    return reinterpret_cast<const std::uint8_t *>(bytes_.data());
  }

private:
  std::vector<std::uint64_t> offsets_{0};
  std::string bytes_;
};

} // namespace detail

/// Receives the progress of a long call: the fraction done (0 to 1) and the last step, from any
/// thread, one call at a time. False ends the call with ZARRC_CANCELLED.
using progress = std::function<bool(double, const char *)>;

namespace detail {
/// A progress function, as the C functions take it.
class reporter {
public:
  explicit reporter(const progress &told) : told_(told), guard_(told_) {}
  zarrc_progress function() const noexcept {
    return told_ ? +[](void *user, double done, const char *what) {
      return static_cast<reporter *>(user)->guard_(done, what);
    } : nullptr;
  }
  void *user() noexcept { return this; }
  void rethrow() { guard_.rethrow(); }

private:
  const progress &told_;
  called_back<const progress> guard_;
};
} // namespace detail

// ---- extents ----------------------------------------------------------------------------------

/// One number per dimension, slowest first. Made of integers, or of anything that holds some.
template <class N> class numbers_by_dimension {
public:
  static constexpr std::size_t inline_rank = 8;

  numbers_by_dimension() = default;
  template <
      class... I,
      std::enable_if_t<(sizeof...(I) > 0) && (std::is_integral_v<std::decay_t<I>> && ...), int> = 0>
  numbers_by_dimension(I... values) {
    const N all[] = {static_cast<N>(values)...};
    assign(all, all + sizeof...(I));
  }
  template <class R, class = decltype(std::declval<const R &>().begin()),
            std::enable_if_t<!std::is_same_v<R, numbers_by_dimension>, int> = 0>
  numbers_by_dimension(const R &range) {
    assign(range.begin(), range.end());
  }
  template <class It, std::enable_if_t<!std::is_integral_v<It>, int> = 0>
  numbers_by_dimension(It first, It last) {
    assign(first, last);
  }
  explicit numbers_by_dimension(std::size_t rank, std::nullptr_t) { resize(rank); }
  numbers_by_dimension(const numbers_by_dimension &other) { assign(other.begin(), other.end()); }
  numbers_by_dimension(numbers_by_dimension &&other) noexcept { *this = std::move(other); }
  numbers_by_dimension &operator=(const numbers_by_dimension &other) {
    if (this != &other)
      assign(other.begin(), other.end());
    return *this;
  }
  numbers_by_dimension &operator=(numbers_by_dimension &&other) noexcept {
    std::copy(other.small_, other.small_ + inline_rank, small_);
    large_ = std::move(other.large_);
    rank_ = std::exchange(other.rank_, 0);
    return *this;
  }

  std::size_t size() const noexcept { return rank_; }
  N *data() noexcept { return large_ ? large_.get() : small_; }
  const N *data() const noexcept { return large_ ? large_.get() : small_; }
  N &operator[](std::size_t n) noexcept { return data()[n]; }
  N operator[](std::size_t n) const noexcept { return data()[n]; }
  const N *begin() const noexcept { return data(); }
  const N *end() const noexcept { return data() + rank_; }
  N *begin() noexcept { return data(); }
  N *end() noexcept { return data() + rank_; }
  N product() const noexcept {
    N n = 1;
    for (N extent : *this)
      n *= extent;
    return n;
  }
  friend bool operator==(const numbers_by_dimension &a, const numbers_by_dimension &b) {
    return a.rank_ == b.rank_ && std::equal(a.begin(), a.end(), b.begin());
  }
  friend bool operator!=(const numbers_by_dimension &a, const numbers_by_dimension &b) {
    return !(a == b);
  }

private:
  void resize(std::size_t rank) {
    large_.reset(rank > inline_rank ? new N[rank]() : nullptr);
    rank_ = rank;
  }
  template <class It> void assign(It first, It last) {
    resize(static_cast<std::size_t>(std::distance(first, last)));
    N *to = data();
    for (; first != last; ++first)
      *to++ = static_cast<N>(*first);
  }

  std::size_t rank_ = 0;
  N small_[inline_rank] = {};
  std::unique_ptr<N[]> large_;
};

using extents = numbers_by_dimension<std::uint64_t>;

/// A box of an array: the first element, how many, and perhaps a step, along each dimension.
struct box {
  extents start, count, step;
  box(extents start, extents count, extents step = {})
      : start(std::move(start)), count(std::move(count)), step(std::move(step)) {}
  std::uint64_t size() const noexcept { return count.product(); }
};

// ---- types ------------------------------------------------------------------------------------

/// The data type of a C++ type: `type_of<float>::value`. Specialise it for types of your own.
template <class T, class = void> struct type_of;

template <class T> struct type_of<T, std::enable_if_t<std::is_integral_v<T>>> {
  static constexpr data_type value =
      std::is_same_v<T, bool> ? data_type::bool_
      : sizeof(T) == 1        ? (std::is_signed_v<T> ? data_type::int8 : data_type::uint8)
      : sizeof(T) == 2        ? (std::is_signed_v<T> ? data_type::int16 : data_type::uint16)
      : sizeof(T) == 4        ? (std::is_signed_v<T> ? data_type::int32 : data_type::uint32)
                              : (std::is_signed_v<T> ? data_type::int64 : data_type::uint64);
  static_assert(sizeof(T) <= 8, "zarrc has no integers of this size");
};
template <> struct type_of<float> { static constexpr data_type value = data_type::float32; };
template <> struct type_of<double> { static constexpr data_type value = data_type::float64; };
template <> struct type_of<std::complex<float>> {
  static constexpr data_type value = data_type::complex64;
};
template <> struct type_of<std::complex<double>> {
  static constexpr data_type value = data_type::complex128;
};
#if defined(__STDCPP_FLOAT16_T__)
template <> struct type_of<std::float16_t> {
  static constexpr data_type value = data_type::float16;
};
#endif
#if defined(__STDCPP_BFLOAT16_T__)
template <> struct type_of<std::bfloat16_t> {
  static constexpr data_type value = data_type::bfloat16;
};
#endif

template <class T> constexpr zarrc_data_type type_number() {
  return static_cast<zarrc_data_type>(type_of<std::remove_cv_t<T>>::value);
}

// ---- memory -----------------------------------------------------------------------------------

#if defined(__cpp_lib_span)
template <class T> using span = std::span<T>;
#else
/// What std::span is from C++20 on, as far as it is needed.
template <class T> class span {
public:
  span() = default;
  span(T *data, std::size_t size) : data_(data), size_(size) {}
  template <class R, class = decltype(std::data(std::declval<R &>()))>
  span(R &&range) : data_(std::data(range)), size_(std::size(range)) {}
  T *data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  T *begin() const noexcept { return data_; }
  T *end() const noexcept { return data_ + size_; }
  T &operator[](std::size_t n) const { return data_[n]; }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};
#endif

/// Memory of any layout: a pointer to the element of index 0, a shape, and for each dimension how
/// many elements lie from one to the next (negative ones too). Eigen's, xtensor's and Kokkos'
/// arrays are such views.
template <class T> class view {
public:
  view(T *data, extents shape, numbers_by_dimension<std::int64_t> strides)
      : data_(data), shape_(std::move(shape)), strides_(std::move(strides)) {
    for (std::int64_t &stride : strides_)
      stride *= static_cast<std::int64_t>(sizeof(T));
  }
  /// Contiguous memory in C order: the last dimension varies fastest.
  view(T *data, extents shape)
      : data_(data), shape_(std::move(shape)), strides_(shape_.size(), nullptr) {
    std::int64_t stride = sizeof(T);
    for (std::size_t n = shape_.size(); n-- > 0; stride *= static_cast<std::int64_t>(shape_[n]))
      strides_[n] = stride;
  }
#if defined(__cpp_lib_mdspan)
  template <class E, class L, class A>
  view(std::mdspan<T, E, L, A> m)
      : data_(m.data_handle()), shape_(m.rank(), nullptr), strides_(m.rank(), nullptr) {
    for (std::size_t n = 0; n < m.rank(); n++) {
      shape_[n] = m.extent(n);
      strides_[n] = static_cast<std::int64_t>(m.stride(n) * sizeof(T));
    }
  }
#endif
  T *data() const noexcept { return data_; }
  const extents &shape() const noexcept { return shape_; }
  /// in bytes
  const std::int64_t *strides() const noexcept { return strides_.data(); }
  /// Bytes between the lowest and the highest byte of the elements.
  std::size_t size_bytes() const noexcept {
    std::uint64_t bytes = sizeof(T);
    for (std::size_t n = 0; n < shape_.size(); n++) {
      if (!shape_[n])
        return 0;
      bytes += (shape_[n] - 1) * static_cast<std::uint64_t>(std::abs(strides_[n]));
    }
    return static_cast<std::size_t>(bytes);
  }

private:
  T *data_;
  extents shape_;
  numbers_by_dimension<std::int64_t> strides_;
};

namespace detail {
template <class R>
using element_of = std::remove_pointer_t<decltype(std::data(std::declval<R &>()))>;
template <class R, class = void> struct is_range : std::false_type {};
template <class R>
struct is_range<R, std::void_t<decltype(std::data(std::declval<R &>())),
                               decltype(std::size(std::declval<R &>())),
                               decltype(type_of<std::remove_cv_t<element_of<R>>>::value)>>
    : std::true_type {};
} // namespace detail

} // namespace zarrc

#endif
