// What C++ costs beside C: no allocation in a read or write that succeeds, and nanoseconds per call
// (printed, not tested: machines are busy). `cost loops`: more calls.
#include <zarrc.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>

static std::size_t allocations;
__attribute__((noinline)) void *operator new(std::size_t size) {
  allocations++;
  if (void *memory = std::malloc(size ? size : 1))
    return memory;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { operator delete(memory); }

template <class F> static double nanoseconds(int loops, F call) {
  const auto begun = std::chrono::steady_clock::now();
  for (int n = 0; n < loops; n++)
    call();
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begun;
  return taken.count() / loops;
}

/// The least of several turns of each, and how often the second one allocates.
template <class C, class P> static bool compare(const char *what, int loops, C c, P cpp) {
  double least[2] = {1e30, 1e30};
  for (int turn = 0; turn < 20; turn++) {
    least[0] = std::min(least[0], nanoseconds(loops, c));
    least[1] = std::min(least[1], nanoseconds(loops, cpp));
  }
  allocations = 0;
  cpp();
  std::printf("%-28s C %7.1f ns   C++ %7.1f ns   C++ / C %.3f   allocations %zu\n", what, least[0],
              least[1], least[1] / least[0], allocations);
  return allocations == 0;
}

int main(int argc, char **argv) {
  const int loops = argc > 1 ? std::atoi(argv[1]) : 200;
  zarrc::store store("memory:", zarrc::mode::append, {{"threads", "1"}});
  zarrc::layout layout;
  layout.codecs = {{"bytes", "{\"endian\": \"little\"}"}};
  auto array = store.create_array<float>("a", {64, 64}, layout);
  std::vector<float> values(64 * 64, 1.5f);
  array.write(values);
  zarrc_array *const handle = array.get();
  zarrc_error error;
  const std::uint64_t start[] = {3, 5}, count[] = {2, 4};
  const std::int64_t strides[] = {16, 4};
  const zarrc::box part({3, 5}, {2, 4});
  std::array<float, 8> few{};
  const zarrc::view<float> memory(few.data(), {2, 4});
  auto must = [](zarrc_status status) {
    if (status != ZARRC_OK)
      std::abort();
  };

  bool good = compare(
      "read all", loops,
      [&] {
        must(zarrc_array_read(handle, nullptr, nullptr, ZARRC_FLOAT32, values.data(),
                              values.size() * 4, &error));
      },
      [&] { array.read(values); });
  good &= compare(
      "read a box of 8", loops,
      [&] {
        must(zarrc_array_read(handle, start, count, ZARRC_FLOAT32, few.data(), sizeof few, &error));
      },
      [&] { array.read(part, few); });
  good &= compare(
      "read a box, made each time", loops,
      [&] {
        must(zarrc_array_read(handle, start, count, ZARRC_FLOAT32, few.data(), sizeof few, &error));
      },
      [&] { array.read(zarrc::box({3, 5}, {2, 4}), few); });
  good &= compare(
      "read by strides", loops,
      [&] {
        must(zarrc_array_read_strided(handle, start, nullptr, count, ZARRC_FLOAT32, few.data(),
                                      strides, &error));
      },
      [&] { array.read(memory, {3, 5}); });
  good &= compare(
      "read a view, made each time", loops,
      [&] {
        must(zarrc_array_read_strided(handle, start, nullptr, count, ZARRC_FLOAT32, few.data(),
                                      strides, &error));
      },
      [&] { array.read(zarrc::view<float>(few.data(), {2, 4}), {3, 5}); });
  good &= compare(
      "write a box of 8", loops,
      [&] {
        must(zarrc_array_write(handle, start, count, ZARRC_FLOAT32, few.data(), sizeof few, &error));
      },
      [&] { array.write(part, few); });
  return good ? 0 : 1;
}
