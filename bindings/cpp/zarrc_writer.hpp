// The streaming writer. Include zarrc.hpp.
#ifndef ZARRC_WRITER_HPP
#define ZARRC_WRITER_HPP

#include "zarrc.hpp"

#include <chrono>

namespace zarrc {

/// How a writer writes.
struct writing {
  /// How long a committed step may stay invisible because its chunks are not full; 0: until flush().
  std::chrono::duration<double> flush_after{0};
  /// Limit of the memory of chunks that are not full (bytes); 0: two rows of chunks of each array.
  std::uint64_t buffer_bytes = 0;
};

/// Arrays of a group that grow by steps, which readers see whole or not at all.
///
///     zarrc::writer writer(store);
///     const auto field = writer.declare<float>("field", {0, 90, 180});
///     for (std::uint64_t step = writer.steps(); step < 100; step++) {
///       writer.put(field, zarrc::box({step, 0, 0}, {1, 90, 180}), values);
///       writer.commit(step + 1);
///     }
///     writer.close();
///
/// Any number of threads may put blocks. The destructor closes the writer, but cannot report what
/// fails then: close() can.
class writer {
public:
  /// An array of a writer.
  enum class variable : std::size_t {};

  explicit writer(zarrc_writer *handle) : handle_(handle) {}
#ifndef ZARRC_NO_EXCEPTIONS
  explicit writer(store &in, const std::string &path = "", const writing &how = {})
      : writer(open(in, path, how)) {}
#endif
  /// Opens a writer for the group at `path`, which is created if there is none.
  static returns<writer> open(store &in, const std::string &path = "", const writing &how = {}) {
    zarrc_writer_options chosen{};
    chosen.size = sizeof chosen;
    chosen.flush_seconds = how.flush_after.count();
    chosen.buffer_bytes = how.buffer_bytes;
    zarrc_writer *out = nullptr;
    return detail::calls()(zarrc_writer_open, in.get(), path.c_str(), &chosen, &out).give([&] {
      return writer(out);
    });
  }
  zarrc_writer *get() const noexcept { return handle_.get(); }

  /// Creates an array whose first extent is 0, or opens it to go on.
  template <class T>
  returns<variable> declare(const std::string &name, const extents &shape, const layout &l = {},
                            std::optional<T> fill_value = {}) {
    return declare(type_of<T>::value, name, shape, l, fill_value ? &*fill_value : nullptr,
                   sizeof(T));
  }
  /// Of a type that is known at run time only, or has parameters (layout::data_type).
  returns<variable> declare(data_type type, const std::string &name, const extents &shape,
                            const layout &l = {}) {
    return declare(type, name, shape, l, nullptr, 0);
  }

  /// Copies a block, contiguous and last dimension fastest, and starts to write it. The first index
  /// of the box is the step.
  template <class R, std::enable_if_t<detail::is_range<R>::value, int> = 0>
  returns<void> put(variable of, const box &part, const R &from) {
    using T = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(from))>>;
    detail::calls c;
    if (part.step.size())
      c.fail(ZARRC_INVALID_ARGUMENT, "put: blocks have no steps");
    return c(zarrc_writer_put, get(), static_cast<std::size_t>(of), part.start.data(),
             part.count.data(), type_number<T>(), static_cast<const void *>(std::data(from)),
             std::size(from) * sizeof(T))
        .end();
  }
  /// All blocks of the first `steps` steps were put; does not wait.
  returns<void> commit(std::uint64_t steps) {
    return detail::calls()(zarrc_writer_commit, get(), steps).end();
  }
  /// Makes all committed steps visible, and waits for that.
  returns<void> flush() { return detail::calls()(zarrc_writer_flush, get()).end(); }
  /// The steps that readers see; at first, the step at which to go on.
  returns<std::uint64_t> steps() const {
    std::uint64_t found = 0;
    return detail::calls()(zarrc_writer_steps, get(), &found).give([&] { return found; });
  }
  /// Makes all committed steps visible, and ends.
  returns<void> close() { return detail::calls()(zarrc_writer_close, handle_.release()).end(); }

private:
  returns<variable> declare(data_type type, const std::string &name, const extents &shape,
                            const layout &l, const void *fill, std::size_t fill_size) {
    detail::calls c;
    const auto spec = detail::make_spec(c, type, shape, l, fill, fill_size);
    std::size_t number = 0;
    c(zarrc_writer_declare, get(), name.c_str(), spec.get(), &number);
    return c.give([&] { return variable(number); });
  }
  std::unique_ptr<zarrc_writer, detail::closed<zarrc_writer_close>> handle_;
};

} // namespace zarrc

#endif
