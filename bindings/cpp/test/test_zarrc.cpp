// The C++ binding: every function of it once, beside values that are computed here. Compiled as
// C++17, 20 and 23, with exceptions; test_results.cpp is the same without.
#include <zarrc.hpp>
#include <zarrc_custom.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>

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
    CHECK(e.what()[0] != 0);
    return e.status();
  }
  return ZARRC_OK;
}

static_assert(zarrc::type_of<std::int8_t>::value == zarrc::data_type::int8);
static_assert(zarrc::type_of<unsigned long>::value == zarrc::data_type::uint64);
static_assert(zarrc::type_of<long long>::value == zarrc::data_type::int64);
static_assert(zarrc::type_of<std::complex<float>>::value == zarrc::data_type::complex64);
static_assert(!std::is_copy_constructible_v<zarrc::store> &&
              std::is_nothrow_move_constructible_v<zarrc::store>);
static_assert(!std::is_copy_constructible_v<zarrc::typed_array<int>>);

static void arrays(zarrc::store &store) {
  zarrc::layout layout;
  layout.chunk_shape = {3, 4};
  layout.shard_shape = {6, 8};
  layout.codecs = {{"zstd", R"({"level": 3})"}};
  layout.dimension_names = {"y", ""};
  layout.attributes_json = R"({"units": "K"})";
  auto array = store.create_array<float>("g/a", {12, 16}, layout, -1.0f);
  CHECK(array.rank() == 2 && array.type() == zarrc::data_type::float32 &&
        array.element_size() == 4);
  CHECK(array.shape() == zarrc::extents({12, 16}) && array.chunk_shape() == zarrc::extents({3, 4}));
  CHECK(array.shard_shape() == zarrc::extents({6, 8}) && array.format() == zarrc::format::v3);
  CHECK(array.fill_value() == -1.0f && array.fill_value_json() == "-1.0");
  CHECK(array.metadata_json().find("sharding_indexed") != std::string::npos);
  CHECK(array.read()[100] == -1.0f);

  std::array<float, 12 * 16> values;
  for (std::size_t n = 0; n < values.size(); n++)
    values[n] = static_cast<float>(n);
  array.write(values);
  int rows = 3;
  const auto part = array.read(zarrc::box({1, 2}, {rows, 2}, {2, 5}));
  CHECK((part == std::vector<float>{18, 23, 50, 55, 82, 87}));
  std::vector<double> doubles(12 * 16); // another type: converted
  array.read(doubles);
  CHECK(doubles[191] == 191.0);

  // any memory: transposed, and backwards
  std::vector<std::int32_t> turned(12 * 16);
  array.read(zarrc::view<std::int32_t>(turned.data(), {12, 16}, {1, 12}));
  CHECK(turned[1] == 16 && turned[12] == 1);
  array.read(zarrc::view<std::int32_t>(turned.data() + 191, {12, 16}, {-16, -1}));
  CHECK(turned[0] == 191 && turned[191] == 0);
  array.write(zarrc::view<const std::int32_t>(turned.data(), {2, 2}), {10, 14});
  CHECK(array.read(zarrc::box({10, 14}, {2, 2}))[3] == 188);

  // chunk by chunk; here, shard by shard
  double sum = 0;
  std::uint64_t elements = 0;
  const auto chunks = array.chunks();
  CHECK(chunks.counts() == zarrc::extents({2, 2}));
  for (const zarrc::box &chunk : chunks) {
    elements += chunk.size();
    for (float value : array.read(chunk))
      sum += value;
  }
  CHECK(elements == 192 && sum > 0);

  auto growing = store.create_array<std::int16_t>("growing", {0, 2});
  growing.append(0, {2, 2}, std::vector<std::int16_t>{1, 2, 3, 4});
  growing.append(0, {1, 2}, std::vector<double>{5, 6});
  CHECK((growing.read() == std::vector<std::int16_t>{1, 2, 3, 4, 5, 6}));
  auto other = store.open_array<std::int16_t>("growing");
  growing.grow({4, 2});
  other.refresh();
  CHECK(other.shape()[0] == 4);
  array.resize({13, 16});
  CHECK(array.shape()[0] == 13);
  array.flush();

  CHECK(status_of([&] {
          array.read(zarrc::box({0, 0}, {13, 17}), std::vector<float>(13 * 17));
        }) == ZARRC_OUT_OF_BOUNDS);
  CHECK(status_of([&] {
          array.read(zarrc::box({0, 0}, {2, 2}), std::vector<float>(3));
        }) == ZARRC_INVALID_ARGUMENT);
  CHECK(status_of([&] { array.read(zarrc::box({0}, {2}), std::vector<float>(2)); }) ==
        ZARRC_INVALID_ARGUMENT);
  CHECK(status_of([&] { array.read(std::vector<float>(3)); }) == ZARRC_INVALID_ARGUMENT);
  CHECK(status_of([&] { array.read(zarrc::view<float>(nullptr, {1})); }) == ZARRC_INVALID_ARGUMENT);

  auto moved = std::move(array);
  CHECK(moved.rank() == 2 && array.rank() == 0); // NOLINT: what was moved from is empty
  moved.close();

  auto again = store.open_array<float>("g/a");
  CHECK(again.shape()[0] == 13 &&
        store.open_array("g/a").attributes().get<std::string>("units") == "K");
  CHECK(status_of([&] { store.create_array<float>("g/a", {1}); }) == ZARRC_ALREADY_EXISTS);

  zarrc::layout edges;
  edges.chunk_edges = {{0, {1, 9}}};
  edges.chunk_shape = {10, 2};
  auto rectilinear = store.create_array<std::uint8_t>("r", {10, 4}, edges);
  CHECK(rectilinear.chunks().at({1, 0}).count == zarrc::extents({9, 2}));

  zarrc::layout typed;
  typed.data_type = "|S3";
  auto bytes = store.create_array(zarrc::data_type::fixed_bytes, "s", {2}, typed);
  CHECK(bytes.element_size() == 3);
  CHECK(status_of([&] { store.open_array<float>("s"); }) == ZARRC_TYPE_MISMATCH);

  CHECK(store.open_array_json("g/a", zarrc::format::v3, again.metadata_json()).rank() == 2);
  auto scalar = store.create_array<int>("scalar", {});
  scalar.write(std::vector<int>{7});
  CHECK(scalar.read() == std::vector<int>{7});
  {
    zarrc::store store("memory:", zarrc::mode::append);
    store.create_array<int>("a", {2}).write(std::vector<int>{1, 2});
    auto transaction = store.begin();
    transaction.open_array<int>("a").write(std::vector<int>{3, 4});
    CHECK(store.open_array<int>("a").read() == (std::vector<int>{1, 2}));
    transaction.commit("both");
    CHECK(store.open_array<int>("a").read() == (std::vector<int>{3, 4}));
    auto other = store.begin();
    other.open_array<int>("a").write(std::vector<int>{5, 6});
    other.rollback();
    CHECK(store.open_array<int>("a").read() == (std::vector<int>{3, 4}));
    CHECK(status_of([&] { store.commit(); }) == ZARRC_INVALID_ARGUMENT);
    CHECK(status_of([&] { (void)store.snapshot(); }) == ZARRC_UNSUPPORTED);
  }
  zarrc::store("memory:", zarrc::mode::append).create_array_json(
      "json", zarrc::format::v2,
      R"({"zarr_format":2,"shape":[3],"chunks":[3],"dtype":"<i4","compressor":null,)"
      R"("fill_value":0,"order":"C","filters":null})");
}

static void strings(zarrc::store &store) {
  auto array = store.create_array(zarrc::data_type::string, "names", {2, 2});
  const std::vector<std::string> names{"a", "", "größer", std::string(1000, 'x')};
  array.write_strings(names);
  const auto read = array.read_strings();
  CHECK(read.size() == 4 && std::vector<std::string>(read.begin(), read.end()) == names);
  CHECK(array.read_strings(zarrc::box({1, 0}, {1, 1}))[0] == "größer");
  array.write_strings(zarrc::box({0, 1}, {1, 1}), std::array<const char *, 1>{"b"});
  CHECK(array.read_strings()[1] == "b");
  array.append_strings(0, {1, 2}, std::array<const char *, 2>{"c", "d"});
  CHECK(array.read_strings()[5] == "d");
  CHECK(status_of([&] { array.write_strings(std::array<const char *, 1>{"b"}); }) ==
        ZARRC_INVALID_ARGUMENT);
}

static void hierarchy(zarrc::store &store) {
  auto group = store.create_group("h");
  store.create_group("h/i");
  const auto found = store.open_group().list(true);
  CHECK(found.size() > 4 && store.kind("h/i") == zarrc::node_kind::group &&
        store.kind("x") == zarrc::node_kind::none);
  CHECK(group.list().size() == 1 && group.list()[0].path == "i");
  auto attributes = group.attributes();
  attributes.set("text", "K");
  attributes.set("real", 0.5);
  attributes.set("integer", -3);
  attributes.set("large", UINT64_MAX);
  attributes.set("flag", true);
  attributes.set_json("list", "[1, 2]");
  CHECK(attributes.get<std::string>("text") == "K" && attributes.get<float>("real") == 0.5f);
  CHECK(attributes.get<int>("integer") == -3 && attributes.json("large") == "18446744073709551615");
  CHECK(status_of([&] { attributes.get<unsigned>("integer"); }) == ZARRC_TYPE_MISMATCH);
  CHECK(attributes.contains("flag") && !attributes.contains("none") &&
        attributes.json("list").size() > 4);
  CHECK(attributes.get<bool>("flag") && attributes.names().size() == 6);
  attributes.set("doubles", std::vector<double>{1.5, 2});
  attributes.set("integers", std::vector<std::int64_t>{1, -2});
  attributes.set("texts", std::vector<std::string>{"a", "b"});
  attributes.set_null("null");
  CHECK((attributes.get_list<double>("doubles") == std::vector<double>{1.5, 2}));
  CHECK((attributes.get_list<std::int64_t>("integers") == std::vector<std::int64_t>{1, -2}));
  CHECK((attributes.get_list<std::string>("texts") == std::vector<std::string>{"a", "b"}));
  CHECK(attributes.kind("doubles").second == 2 && attributes.json("null") == "null");
  auto others = zarrc::attribute_set::make();
  others.set("other", 1.0f);
  attributes.update(others);
  CHECK(attributes.get<float>("other") == 1.0f);
  zarrc::layout layout;
  layout.attributes = &others;
  CHECK(store.create_array<int>("attributed", {1}, layout).attributes().get<double>("other") == 1);
  attributes.erase("flag");
  CHECK(status_of([&] { attributes.json("flag"); }) == ZARRC_NOT_FOUND);
  attributes.replace_json("{}");
  CHECK(attributes.json() == "{}");
  group.close();
  store.remove("h");
  CHECK(store.kind("h") == zarrc::node_kind::none);

  store.set_value("key", "value");
  CHECK(store.value("key") == "value" && store.value("key", 1, 2) == "al");
  store.erase("key");
  store.set_value("p/key", "value");
  store.erase_prefix("p/");
  CHECK(status_of([&] { store.value("p/key"); }) == ZARRC_NOT_FOUND);
  store.forget();
}

static void conversion(zarrc::store &store) {
  zarrc::store other("memory:", zarrc::mode::append);
  CHECK(store.convert_plan("r2", other, "", zarrc::format::v2).find("nodes") != std::string::npos);
  int called = 0;
  zarrc::conversion how;
  how.progress = [&](double, const char *) { return ++called > 0; };
  store.convert("r2", other, "", zarrc::format::v2, how);
  CHECK(called > 0 && other.open_array<int>().read() == (std::vector<int>{1, 2, 3}));
  how.progress = [](double, const char *) { return false; };
  CHECK(status_of([&] { store.convert("r2", other, "x", zarrc::format::v2, how); }) ==
        ZARRC_CANCELLED);
}

class map_store : public zarrc::custom_store {
public:
  std::optional<std::string> get(const std::string &key) override {
    std::lock_guard<std::mutex> guard(lock_);
    if (key == "broken/zarr.json")
      throw std::runtime_error("the disk is on fire");
    const auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional<std::string>(found->second);
  }
  void set(const std::string &key, std::string_view value) override {
    std::lock_guard<std::mutex> guard(lock_);
    values_[key] = value;
  }
  bool erase(const std::string &key) override {
    std::lock_guard<std::mutex> guard(lock_);
    return values_.erase(key) > 0;
  }
  void list(const std::string &prefix,
            const std::function<bool(const std::string &)> &give) override {
    std::lock_guard<std::mutex> guard(lock_);
    for (const auto &[key, value] : values_)
      if (key.compare(0, prefix.size(), prefix) == 0 && !give(key))
        return;
  }

private:
  std::mutex lock_;
  std::map<std::string, std::string> values_;
};

class flip : public zarrc::custom_codec {
public:
  std::string encode(std::string_view from) override {
    std::string to(from);
    for (char &c : to)
      c = static_cast<char>(~c);
    return to;
  }
  std::string decode(std::string_view from) override { return encode(from); }
};

static void customs() {
  auto values = std::make_shared<map_store>();
  {
    auto store = zarrc::make_store(values);
    zarrc::register_codec("org.example.flip", std::make_shared<flip>());
    zarrc::layout layout;
    layout.codecs = {{"org.example.flip", ""}};
    auto array = store.create_array<std::uint8_t>("a", {5}, layout);
    array.write(std::vector<std::uint8_t>{1, 2, 3, 4, 5});
    CHECK(array.read(zarrc::box({4}, {1}))[0] == 5);
    CHECK(static_cast<std::uint8_t>(values->get("a/c/0")->at(0)) == 0xfe);
    CHECK(store.open_group().list().size() == 1);
    try {
      store.open_array("broken");
      CHECK(false);
    } catch (const zarrc::error &e) {
      CHECK(e.status() == ZARRC_IO && std::string(e.what()).find("on fire") != std::string::npos);
    }
  }
  zarrc::unregister_codec("org.example.flip");
  CHECK(values.use_count() == 1);
  CHECK(status_of([] { zarrc::unregister_codec("org.example.flip"); }) == ZARRC_NOT_FOUND);
}

static void writer(zarrc::store &store) {
  zarrc::layout layout;
  layout.chunk_shape = {2, 3};
  layout.dimension_names = {"time", "x"};
  {
    zarrc::writer writer(store, "stream", {std::chrono::milliseconds(0), 1 << 20});
    const auto field = writer.declare<float>("field", {0, 3}, layout);
    layout.chunk_shape = {4};
    layout.dimension_names = {"time"};
    const auto time = writer.declare(zarrc::data_type::float64, "time", {0}, layout);
    CHECK(writer.steps() == 0);
    std::thread other([&] { writer.put(time, zarrc::box({0}, {3}), std::vector<int>{5, 6, 7}); });
    for (std::uint64_t step = 0; step < 3; step++)
      writer.put(field, zarrc::box({step, 0}, {1, 3}), std::array<std::uint64_t, 3>{step, 8, 9});
    other.join();
    writer.commit(3);
    writer.flush();
    CHECK(writer.steps() == 3);
    CHECK(status_of([&] { writer.commit(2); }) == ZARRC_INVALID_ARGUMENT);
    CHECK(status_of([&] {
            writer.put(time, zarrc::box({3}, {1}, {2}), std::vector<int>{5});
          }) == ZARRC_INVALID_ARGUMENT);
    CHECK(status_of([&] {
            writer.put(field, zarrc::box({0, 0}, {1, 3}), std::array<int, 3>{});
          }) == ZARRC_OUT_OF_BOUNDS);
    writer.close();
  }
  const auto field = store.open_array<float>("stream/field");
  CHECK((field.read() == std::vector<float>{0, 8, 9, 1, 8, 9, 2, 8, 9}));
  CHECK((store.open_array<double>("stream/time").read() == std::vector<double>{5, 6, 7}));
}

int main() {
  CHECK(std::string(zarrc::version()) == ZARRC_VERSION && zarrc::build_info().size() > 100);
  zarrc::store store("memory:", zarrc::mode::append, {{"threads", "2"}});
  arrays(store);
  strings(store);
  hierarchy(store);
  store.create_array<int>("r2", {3}).write(std::vector<int>{1, 2, 3});
  conversion(store);
  customs();
  writer(store);
  CHECK(status_of([] { zarrc::store("/no/such/store"); }) == ZARRC_NOT_FOUND);
  CHECK(status_of([] {
          zarrc::store("memory:", zarrc::mode::append, {{"thread", "2"}});
        }) == ZARRC_INVALID_ARGUMENT);
  std::vector<std::thread> threads;
  auto array = store.open_array<int>("r2");
  for (int n = 0; n < 4; n++)
    threads.emplace_back([&] { CHECK(array.read()[2] == 3); });
  for (auto &thread : threads)
    thread.join();
  store.close();
  CHECK(array.read()[0] == 1);
}
