// A C++ program: exceptions of its own, zarrc's errors turned into them.
#include <zarrc.h>

#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

static void must(zarrc_status status, const zarrc_error &error) {
  if (status != ZARRC_OK)
    throw std::runtime_error(std::string(zarrc_status_name(status)) + ": " + error.message);
}

int main() {
  zarrc_error error;
  zarrc_store *store = nullptr;
  zarrc_array *array = nullptr;
  try {
    const std::vector<std::uint64_t> shape{50};
    std::vector<double> written(50, 2.5), read(50);
    zarrc_array_spec *spec = nullptr;
    must(zarrc_store_open("memory:", ZARRC_APPEND, nullptr, &store, &error), error);
    must(zarrc_array_spec_new(ZARRC_FLOAT64, 1, shape.data(), &spec, &error), error);
    zarrc_status status = zarrc_array_create(store, "a", spec, &array, &error);
    zarrc_array_spec_free(spec);
    must(status, error);
    must(zarrc_array_write(array, nullptr, nullptr, ZARRC_FLOAT64, written.data(), 400, &error),
         error);
    must(zarrc_array_read(array, nullptr, nullptr, ZARRC_FLOAT64, read.data(), 400, &error), error);
    must(zarrc_array_close(array, &error), error);
    must(zarrc_store_close(store, &error), error);
    if (read != written)
      throw std::runtime_error("read is not written");
    must(zarrc_store_open("/no/such/store", ZARRC_READ, nullptr, &store, &error), error);
  } catch (const std::runtime_error &problem) {
    const bool expected = std::string(problem.what()).find("ZARRC_NOT_FOUND: ") == 0;
    if (!expected)
      std::cerr << problem.what() << '\n';
    return expected ? 0 : 1;
  }
  return 1;
}
