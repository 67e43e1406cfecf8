// Two reads at a time in one thread, by coroutines of C++20.
#include <coroutine>
#include <cstdio>
#include <exception>
#include <numeric>
#include <zarrc.hpp>

// ANCHOR: task
struct task { // or the coroutine type of your framework
  struct promise_type {
    task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};
// ANCHOR_END: task

// ANCHOR: coroutine
task add(zarrc::loop &loop, zarrc::typed_array<int> &array, std::uint64_t row, long &sum) {
  const auto values = co_await loop(array.read_start(array.select(zarrc::index{row}, zarrc::all)));
  sum += std::accumulate(values.begin(), values.end(), 0L);
}

long sum_of_rows(zarrc::typed_array<int> &array) {
  zarrc::loop loop;
  long sum = 0;
  for (std::uint64_t row = 0; row < array.shape()[0]; row++)
    add(loop, array, row, sum); // runs until its first co_await
  loop.run();                   // resumes each as its read is done
  return sum;
}
// ANCHOR_END: coroutine

int main() {
  zarrc::store store("memory:", zarrc::mode::append);
  auto array = store.create_array<int>("a", {8, 100});
  array.write(std::vector<int>(800, 3));
  std::printf("%ld\n", sum_of_rows(array));
  return sum_of_rows(array) == 2400 ? 0 : 1;
}
