// Coroutines that wait for requests, several at a time in one thread.
#include <zarrc.hpp>

#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#define CHECK(condition)                                                                           \
  do                                                                                               \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                         \
      std::exit(1);                                                                                \
    }                                                                                              \
  while (0)

// The least a coroutine type can be: it starts at once, and its owner destroys it.
struct job {
  struct promise_type {
    std::exception_ptr problem;
    job get_return_object() { return job(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { problem = std::current_exception(); }
  };
  explicit job(std::coroutine_handle<promise_type> handle) : handle(handle) {}
  job(job &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  ~job() {
    if (handle)
      handle.destroy();
  }
  void check() const {
    CHECK(handle.done());
    if (handle.promise().problem)
      std::rethrow_exception(handle.promise().problem);
  }
  std::coroutine_handle<promise_type> handle;
};

using ints = std::vector<int>;

// Reads a row, writes its double into another one, and reads that.
static job row(zarrc::loop &loop, zarrc::typed_array<int> &array, std::uint64_t from, int &sum) {
  auto values = co_await loop(array.read_start(array.select(zarrc::index{from}, zarrc::all)));
  for (int &value : values)
    value *= 2;
  auto target = array.select(zarrc::index{from + 8}, zarrc::all);
  auto writing = array.write_start(target, values);
  co_await loop(writing);
  for (const int value : co_await loop(array.read_start(target)))
    sum += value;
}

static job fails(zarrc::loop &loop, zarrc::typed_array<int> &array, zarrc_status &status) {
  ints memory(array.select(zarrc::all, zarrc::all).size());
  try {
    co_await loop(array.read_start(memory));
  } catch (const zarrc::error &e) {
    status = e.status();
  }
}

int main() {
  zarrc::store store("memory:", zarrc::mode::append);
  zarrc::layout layout;
  layout.chunk_shape = {1, 1000};
  auto array = store.create_array<int>("a", {16, 1000}, layout);
  ints values(16 * 1000);
  for (int n = 0; n < 16 * 1000; n++)
    values[static_cast<std::size_t>(n)] = n < 8000 ? n : -1;
  array.write(values);

  zarrc::loop loop;
  int sums[8] = {};
  {
    std::vector<job> jobs;
    for (std::uint64_t n = 0; n < 8; n++)
      jobs.push_back(row(loop, array, n, sums[n]));
    loop.run();
    for (const job &one : jobs)
      one.check();
  }
  for (int n = 0; n < 8; n++) // 2 (1000 n + 0 + 1 + ... + 999)
    CHECK(sums[n] == 2 * (1000 * 1000 * n + 499500));

  // What goes wrong is thrown where the coroutine waits.
  auto broken = store.create_array<int>("b", {4, 4});
  broken.write(ints(16, 1));
  store.set_value("b/c/0/0", "not a chunk");
  zarrc_status status = ZARRC_OK;
  {
    const job one = fails(loop, broken, status);
    loop.run();
    one.check();
  }
  CHECK(status == ZARRC_CORRUPT_DATA);

  // Destroyed while it waits: the loop forgets it, the request ends by itself.
  {
    std::vector<job> jobs;
    for (std::uint64_t n = 0; n < 8; n++)
      jobs.push_back(row(loop, array, n, sums[n]));
  }
  loop.run();
}
