// Reads and writes that go on while the program does something else. Include zarrc.hpp.
#ifndef ZARRC_REQUEST_HPP
#define ZARRC_REQUEST_HPP

#include "zarrc_core.hpp"

namespace zarrc {

/// A read or write that was started. Its end waits until it is done: the memory outlives it.
class request {
public:
  explicit request(zarrc_request *handle) : handle_(handle) {}
  zarrc_request *get() const noexcept { return handle_.get(); }

  /// Whether it is done, without waiting.
  returns<bool> ready() const {
    bool done = false;
    return detail::calls()(zarrc_request_test, get(), &done).give([&] { return done; });
  }
  /// Waits, and tells how it went. May be called again, and by several threads.
  returns<void> wait() const { return detail::calls()(zarrc_request_wait, get()).end(); }
  /// Ends it at the next chunk: wait() then reports ZARRC_CANCELLED, unless it was done before.
  void cancel() const noexcept { zarrc_request_cancel(get()); }
  /// Becomes readable once it is done, for poll() and event loops; not to be read or closed.
  returns<int> fd() const {
    std::int32_t fd = -1;
    return detail::calls()(zarrc_request_fd, get(), &fd).give([&] { return static_cast<int>(fd); });
  }

private:
  std::unique_ptr<zarrc_request, detail::freed<zarrc_request_free>> handle_;
};

/// A read into memory of its own, as std::future<std::vector<T>> has it.
template <class T> class reading {
public:
  reading(std::vector<T> memory, zarrc::request started)
      : memory_(std::move(memory)), request_(std::move(started)) {}
  reading(reading &&) = default;
  reading &operator=(reading &&) = delete; // memory would end before the request that fills it
  const zarrc::request &request() const noexcept { return request_; }
  returns<bool> ready() const { return request_.ready(); }
  returns<void> wait() const { return request_.wait(); }
  void cancel() const noexcept { request_.cancel(); }
  /// Waits, and gives the elements; once.
  returns<std::vector<T>> get() {
    return detail::calls()(zarrc_request_wait, request_.get()).give([&] {
      return std::move(memory_);
    });
  }

private:
  std::vector<T> memory_; // ends after the request
  zarrc::request request_;
};

/// Waits until one of several requests is done; which of them, of several the first.
template <class R> returns<std::size_t> wait_any(const R &requests) {
  std::vector<zarrc_request *> handles;
  for (const request &one : requests)
    handles.push_back(one.get());
  std::size_t index = 0;
  return detail::calls()(zarrc_request_wait_any, handles.data(), handles.size(), &index)
      .give([&] { return index; });
}

} // namespace zarrc

#endif
