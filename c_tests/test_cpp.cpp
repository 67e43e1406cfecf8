// The header in C++: the names that a C++ program would use it by.
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.h"

namespace {

struct close_it {
  void operator()(zarrc_store *store) const { zarrc_store_close(store, nullptr); }
  void operator()(zarrc_array *array) const { zarrc_array_close(array, nullptr); }
  void operator()(zarrc_array_spec *spec) const { zarrc_array_spec_free(spec); }
  void operator()(char *string) const { zarrc_string_free(string); }
};
template <class T> using handle = std::unique_ptr<T, close_it>;

void must(zarrc_status status, const zarrc_error &error) {
  if (status != ZARRC_OK)
    throw std::runtime_error(std::string(zarrc_status_name(status)) + ": " + error.message);
}

handle<zarrc_store> open_store(const char *url, zarrc_mode mode) {
  zarrc_error error;
  zarrc_store *store = nullptr;
  must(zarrc_store_open(url, mode, nullptr, &store, &error), error);
  return handle<zarrc_store>(store);
}

void vectors() {
  zarrc_error error;
  const std::vector<std::uint64_t> shape{30, 40}, chunks{16, 16};
  handle<zarrc_store> store = open_store("memory:", ZARRC_APPEND);

  zarrc_array_spec *raw_spec = nullptr;
  must(zarrc_array_spec_new(ZARRC_FLOAT64, shape.size(), shape.data(), &raw_spec, &error), error);
  handle<zarrc_array_spec> spec(raw_spec);
  must(zarrc_array_spec_set_chunk_shape(spec.get(), chunks.size(), chunks.data(), &error), error);

  zarrc_array *raw_array = nullptr;
  must(zarrc_array_create(store.get(), "v", spec.get(), &raw_array, &error), error);
  handle<zarrc_array> array(raw_array);
  store.reset(); // the array keeps it

  std::vector<double> written(30 * 40), read(written.size());
  for (std::size_t i = 0; i < written.size(); i++)
    written[i] = 0.5 * static_cast<double>(i);
  const std::size_t bytes = written.size() * sizeof(double);
  must(zarrc_array_write(array.get(), nullptr, nullptr, ZARRC_FLOAT64, written.data(), bytes,
                         &error), error);
  must(zarrc_array_read(array.get(), nullptr, nullptr, ZARRC_FLOAT64, read.data(), bytes, &error),
       error);
  CHECK(read == written);

  char *json = nullptr;
  must(zarrc_array_metadata_json(array.get(), &json, &error), error);
  handle<char> metadata(json);
  CHECK(std::string(metadata.get()).find("zarr_format") != std::string::npos);
}

void an_error_becomes_an_exception() {
  std::string said;
  try {
    open_store(scratch("nowhere"), ZARRC_READ);
  } catch (const std::runtime_error &problem) {
    said = problem.what();
  }
  CHECK(said.find("ZARRC_NOT_FOUND") == 0);
  CHECK(said.find("nowhere") != std::string::npos);
}

} // namespace

int main() {
  begin("cpp");
  RUN(vectors);
  RUN(an_error_becomes_an_exception);
  return finish();
}
