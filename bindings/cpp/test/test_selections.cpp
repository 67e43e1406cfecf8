// Selections, requests and operations on nodes, beside values that are computed here.
#include <zarrc.hpp>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

#define CHECK(condition)                                                                           \
  do                                                                                               \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                         \
      std::exit(1);                                                                                \
    }                                                                                              \
  while (0)

template <class F> static zarrc_status status_of(F call) {
  try {
    call();
  } catch (const zarrc::error &e) {
    return e.status();
  }
  return ZARRC_OK;
}

using doubles = std::vector<double>;

static zarrc::typed_array<double> make(zarrc::store &store, const std::string &path) {
  zarrc::layout layout;
  layout.chunk_shape = {2, 3};
  layout.dimension_names = {"y", ""};
  auto array = store.create_array<double>(path, {4, 6}, layout); // 10 y + x
  doubles values(24);
  for (int n = 0; n < 24; n++)
    values[n] = 10 * (n / 6) + n % 6;
  array.write(values);
  return array;
}

static void selections(zarrc::store &store) {
  auto array = make(store, "s");
  auto part = array.select(zarrc::range{3, 2, -2}, zarrc::list{5, 0, 5});
  CHECK(part.shape() == zarrc::extents({2, 3}) && part.size() == 6);
  CHECK(array.read(part) == (doubles{35, 30, 35, 15, 10, 15}));
  CHECK(array.read(array.select(zarrc::index{2}, zarrc::mask{true, false, false, true, true, false})) ==
        (doubles{20, 23, 24}));
  CHECK(array.read(array.select(zarrc::points{{3, 5}, {0, 1}})) == (doubles{35, 1}));
  std::vector<bool> flags(24);
  flags[7] = flags[23] = true;
  CHECK(array.read(array.select(zarrc::element_mask(flags))) == (doubles{11, 35}));
  CHECK(array.read(array.select(zarrc::blocks{{1, 1}, {1, 1}})) == (doubles{23, 24, 25, 33, 34, 35}));
  const auto all = array.select(zarrc::all, zarrc::list(std::vector<int>{2, 1}));
  double columns[2][4]; // transposed by its strides
  array.read(all, zarrc::view<double>(&columns[0][0], {4, 2}, {1, 4}));
  CHECK(columns[0][3] == 32 && columns[1][0] == 1);
  float few[2] = {-1, -2};
  array.write(array.select(zarrc::index{0}, zarrc::list{4, 2}), few);
  array.write(array.select(zarrc::all, zarrc::range{0, 1}),
              zarrc::view<const float>(few, {4, 1}, {0, 0}));
  CHECK(array.read(zarrc::box({0, 0}, {1, 6})) == (doubles{-1, 1, -2, 3, -1, 5}));
  array.fill(part, 7);
  CHECK(array.read()[35 % 10] == 5 && array.read()[23] == 7);
  array.fill(0.5);
  CHECK(array.read() == doubles(24, 0.5));

  CHECK(status_of([&] { array.select(zarrc::all); }) == ZARRC_INVALID_ARGUMENT);
  CHECK(status_of([&] { array.select(zarrc::index{4}, zarrc::all); }) == ZARRC_OUT_OF_BOUNDS);
  CHECK(status_of([&] { array.read(part, few); }) == ZARRC_INVALID_ARGUMENT);
  CHECK(status_of([&] { part.field("x"); }) == ZARRC_TYPE_MISMATCH);
  CHECK(status_of([&] { array.select(zarrc::points{{1}}); }) == ZARRC_INVALID_ARGUMENT);

  auto texts = store.create_array(zarrc::data_type::string, "texts", {3});
  texts.fill("none");
  texts.write_strings(texts.select(zarrc::list{2, 0}), std::vector<std::string>{"c", "a"});
  const auto found = texts.read_strings(texts.select(zarrc::range{2, 3, -1}));
  CHECK(found[0] == "c" && found[1] == "none" && found[2] == "a");
}

static void requests(zarrc::store &store) {
  auto array = make(store, "r");
  auto reading = array.read_start(array.select(zarrc::index{1}, zarrc::all));
  CHECK(reading.get() == (doubles{10, 11, 12, 13, 14, 15}) && reading.ready());
  doubles memory(24), other(6, 8);
  std::vector<zarrc::request> all;
  all.push_back(array.read_start(memory));
  all.push_back(array.write_start(array.select(zarrc::index{3}, zarrc::all), other));
  CHECK(zarrc::wait_any(all) < 2 && all[0].fd() >= 0);
  for (auto &one : all)
    one.wait();
  CHECK(memory[7] == 11 && array.read()[18] == 8);
  auto started = array.read_start(array.select(zarrc::all, zarrc::all), memory);
  started.cancel();
  const zarrc_status status = status_of([&] { started.wait(); });
  CHECK(status == ZARRC_OK || status == ZARRC_CANCELLED);
  array.write_start(doubles(24, 1)).wait();
  CHECK(array.read() == doubles(24, 1));
}

static void opening(zarrc::store &store) {
  auto array = store.require_array<float>("o", {2, 3}, {}, 5.0f);
  CHECK(store.require_array<float>("o", {2, 3}).read()[0] == 5);
  CHECK(status_of([&] { store.require_array<float>("o", {3}); }) == ZARRC_ALREADY_EXISTS);
  CHECK(store.open_or_create_array<float>("o", {3}).rank() == 2);
  CHECK(store.create_array_like(array, "like", {4, 4}).shape()[0] == 4);
  CHECK(store.overwrite_array<float>("o", {3}).rank() == 1);
  CHECK(store.create_array_from("from", {2}, std::vector<int>{3, 4}).read()[1] == 4);
  store.require_group("g");
  zarrc::layout layout;
  layout.set_missing_value(-999.0f);
  auto missing = store.overwrite_array<float>("g/m", {2}, layout);
  CHECK(missing.read()[0] == -999 && missing.attributes().contains("_FillValue"));
  store.create_array<short>("i", {2}).set_missing_value<short>(-1);
  CHECK(store.open_array("i").attributes().get<int>("_FillValue") == -1);
  std::string seen;
  store.open_group("g").visit([&](const char *path, zarrc::node_kind) { seen += path; });
  CHECK(seen == "m" && store.open_group("g").tree().find("m (2) float32") != std::string::npos);
  CHECK(store.overwrite_group("g").list().empty());
  CHECK(zarrc::name_of(zarrc::data_type::float32) == std::string("float32") &&
        zarrc::size_of(zarrc::data_type::float32) == 4);
}

static void told(zarrc::store &store) {
  auto array = make(store, "t");
  CHECK(array.dimension_name(0) == "y" && !array.dimension_name(1));
  CHECK(array.data_type_text() == "float64" && array.order() == 'C' && array.separator() == '/');
  CHECK(array.path() == "t" && array.chunk_key({1, 1}) == "t/c/1/1" && !array.store_name().empty());
  CHECK(array.codecs_json()[0] == '[' && array.info_json()[0] == '{');
  CHECK(array.content_digest("sha1").size() == 40 && array.stored_digest("sha256").size() == 64);
  int chunks = 0;
  array.visit_chunks([&](const zarrc::extents &index, const char *key, std::uint64_t) {
    CHECK(array.chunk_key(index) == key);
    return ++chunks < 3;
  });
  CHECK(chunks == 3);
  try {
    array.visit_chunks([](auto &&...) -> bool { throw std::runtime_error("mine"); });
    CHECK(false);
  } catch (const std::runtime_error &e) {
    CHECK(std::string(e.what()) == "mine");
  }
}

static void operations(zarrc::store &store) {
  auto array = make(store, "p/a");
  auto other = zarrc::store("memory:", zarrc::mode::append);
  zarrc::copying how;
  double last = 0;
  how.progress = [&](double done, const char *) { return last = done, true; };
  CHECK(zarrc::copy(store, "p", other, "q", how).keys > 4 && last == 1);
  CHECK(status_of([&] { zarrc::copy(store, "p", other, "q"); }) == ZARRC_ALREADY_EXISTS);
  how.if_exists = zarrc::if_exists::skip;
  CHECK(zarrc::copy(store, "p", other, "q", how).skipped > 4);
  how.link = true;
  CHECK(status_of([&] { zarrc::copy(store, "p", other, "r", how); }) == ZARRC_UNSUPPORTED);
  how.link = false;
  how.progress = [](double, const char *) { return false; };
  CHECK(status_of([&] { zarrc::copy(store, "p", other, "r", how); }) == ZARRC_CANCELLED);
  zarrc::move(other, "q", "s");
  CHECK(other.kind("q") == zarrc::node_kind::none && other.kind("s/a") == zarrc::node_kind::array);
  zarrc::layout layout;
  layout.chunk_shape = {4, 1};
  zarrc::rechunk(array, other, "wide", layout);
  CHECK(other.open_array<double>("wide").read() == array.read());
  zarrc::consolidate(other, "s");
  CHECK(zarrc::verify(other, "wide").find("\"problems\":[]") != std::string::npos);
  other.set_value("wide/c/9/9", "x");
  CHECK(zarrc::verify(other, "wide").find("\"outside\"") != std::string::npos);
  CHECK(zarrc::repair(other, "wide", "outside", true).find("outside") != std::string::npos);
  zarrc::repair(other, "wide", "outside");
  CHECK(zarrc::verify(other, "wide").find("\"outside\"") == std::string::npos);
}

void coordinates_and_appends(zarrc::store &store) {
  auto array = store.create_array<double>("log", {0, 2, 3});
  std::uint64_t calls = 0;
  for (int n = 0; n < 2; n++)
    zarrc::append_with(array, 0, 2, [&](zarrc::array &grown, const char *document, std::uint64_t first) {
      CHECK(first == 2 * calls++ && grown.shape() == zarrc::extents({first + 2, 2, 3}));
      grown.write(zarrc::box({first, 0, 0}, {1, 2, 3}), std::vector<double>{1, 2, 3, 4, 5, 6});
      store.open_array_json("log", zarrc::format::v3, document)
          .write(zarrc::box({first + 1, 0, 0}, {1, 2, 3}), std::vector<double>{7, 8, 9, 10, 11, 12});
    });
  CHECK(array.shape() == zarrc::extents({4, 2, 3}) && array.read()[6 * 3 + 5] == 12);
  CHECK(status_of([&] {
          zarrc::append_with(array, 0, 1, [](zarrc::array &, const char *, std::uint64_t) { return false; });
        }) == ZARRC_CANCELLED);
  bool thrown = false;
  try {
    zarrc::append_with(array, 0, 1, [](zarrc::array &, const char *, std::uint64_t) { throw 7; });
  } catch (int seven) {
    thrown = seven == 7;
  }
  CHECK(thrown && array.shape() == zarrc::extents({4, 2, 3}));
  const auto selected = array.select(zarrc::index{3}, zarrc::range{1, 2, -1}, zarrc::list{2, 0});
  CHECK((selected.coordinates(0, 4) == std::vector<zarrc::extents>{{3, 1, 2}, {3, 1, 0}, {3, 0, 2}, {3, 0, 0}}));
  CHECK((selected.coordinates(2, 1) == std::vector<zarrc::extents>{{3, 0, 2}}));
  CHECK(status_of([&] { selected.coordinates(3, 2); }) == ZARRC_OUT_OF_BOUNDS);
}

int main(int count, char **arguments) {
  zarrc::store store("memory:", zarrc::mode::append);
  selections(store);
  requests(store);
  opening(store);
  told(store);
  operations(store);
  coordinates_and_appends(store);
  if (count > 1) {
    const std::string url = arguments[1];
    zarrc::store("file:" + url, zarrc::mode::overwrite).create_array<int>("a", {3}, {}, 4);
    CHECK(zarrc::open_array<int>(url + "/a").read()[2] == 4 && zarrc::open_array(url + "/a").rank() == 1);
    CHECK(zarrc::open_group(url).list().size() == 1);
  }
}
