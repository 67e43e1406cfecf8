// Requests in coroutines, from C++20 on. Include zarrc.hpp.
#ifndef ZARRC_COROUTINE_HPP
#define ZARRC_COROUTINE_HPP

#include "zarrc_request.hpp"

#if defined(__cpp_impl_coroutine) && defined(__cpp_lib_coroutine)
#include <coroutine>

namespace zarrc {

/// Resumes coroutines whose requests are done, in the thread that calls run(). Works with every
/// coroutine type. A loop and its coroutines belong to one thread; use one loop per thread.
///
///     zarrc::loop loop;
///     auto part = co_await loop(array.read_start(selection));   // in a coroutine
///     loop.run();                                               // in its caller
///
/// A coroutine may be destroyed while it waits: a request that it moved into the loop is completed
/// first. The loop must outlive the coroutines that wait in it.
class loop {
public:
  loop() = default;
  loop(const loop &) = delete;
  loop &operator=(const loop &) = delete;

  template <class R> class awaiter {
  public:
    awaiter(loop &in, R request) : loop_(in), request_(std::forward<R>(request)) {}
    awaiter(const awaiter &) = delete;
    awaiter &operator=(const awaiter &) = delete;
    ~awaiter() { loop_.forget(coroutine_); }

    /// Also true if the request cannot be asked: await_resume() then reports why.
    bool await_ready() const noexcept {
      bool done = false;
      return zarrc_request_test(handle(), &done, nullptr) != ZARRC_OK || done;
    }
    void await_suspend(std::coroutine_handle<> coroutine) {
      loop_.waiting_.push_back({handle(), coroutine});
      coroutine_ = coroutine;
    }
    /// What wait() or get() of the request returns or throws.
    auto await_resume() {
      coroutine_ = nullptr;
      if constexpr (std::is_same_v<std::decay_t<R>, request>)
        return request_.wait();
      else
        return request_.get();
    }

  private:
    zarrc_request *handle() const noexcept {
      if constexpr (std::is_same_v<std::decay_t<R>, request>)
        return request_.get();
      else
        return request_.request().get();
    }
    loop &loop_;
    R request_;
    std::coroutine_handle<> coroutine_;
  };

  /// Waits for a request: `co_await loop(request)`. A temporary one is kept until it is done.
  awaiter<request &> operator()(request &started) { return {*this, started}; }
  awaiter<request> operator()(request &&started) { return {*this, std::move(started)}; }
  /// Waits for a read, and gives its elements: `co_await loop(array.read_start(selection))`.
  template <class T> awaiter<reading<T>> operator()(reading<T> &&started) {
    return {*this, std::move(started)};
  }

  /// Resumes one coroutine after the other as their requests are done, until none waits.
  returns<void> run() {
    detail::calls c;
    while (!waiting_.empty()) {
      handles_.clear();
      for (const auto &one : waiting_)
        handles_.push_back(one.request);
      std::size_t index = 0;
      if (!c(zarrc_request_wait_any, handles_.data(), handles_.size(), &index).ok())
        break;
      const std::coroutine_handle<> next = waiting_[index].coroutine;
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
      next.resume();
    }
    return c.end();
  }

private:
  struct entry {
    zarrc_request *request;
    std::coroutine_handle<> coroutine;
  };
  void forget(std::coroutine_handle<> coroutine) noexcept {
    if (coroutine)
      waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(),
                                    [&](const entry &e) { return e.coroutine == coroutine; }),
                     waiting_.end());
  }
  std::vector<entry> waiting_;
  std::vector<zarrc_request *> handles_;
};

} // namespace zarrc

#endif
#endif
