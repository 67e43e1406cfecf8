// Stores, groups, and what a new array is to be. Include zarrc.hpp.
#ifndef ZARRC_STORE_HPP
#define ZARRC_STORE_HPP

#include "zarrc.hpp"

namespace zarrc {

/// What a new array is to be, besides its type and shape; every member has a default.
///
///     zarrc::layout layout;
///     layout.chunk_shape = {100, 100};
///     layout.codecs = {{"zstd", R"({"level": 3})"}};
struct layout {
  zarrc::format format = zarrc::format::any;
  extents chunk_shape, shard_shape;
  /// Extents of the chunks along some dimensions, one by one: pairs of dimension and list.
  std::vector<std::pair<std::size_t, extents>> chunk_edges;
  /// Names and configurations (JSON; "" for the defaults), in the order in which they encode.
  std::vector<std::pair<std::string, std::string>> codecs;
  /// As JSON, as the format's documents say it.
  std::string fill_value_json;
  /// For types with parameters: "|S12", "<M8[ns]", JSON of fields.
  std::string data_type;
  char order = 0, separator = 0;
  /// "" for a dimension without a name.
  std::vector<std::string> dimension_names;
  std::string attributes_json;
  /// Filled beforehand (attribute_set); borrowed.
  const attributes_view *attributes = nullptr;
  /// CF's missing value, which becomes the fill value too: one element as it lies in memory.
  std::string missing_value;
  template <class T> void set_missing_value(T value) {
    missing_value.assign(reinterpret_cast<const char *>(&value), sizeof value);
  }
};

namespace detail {

using spec_handle = std::unique_ptr<zarrc_array_spec, freed<zarrc_array_spec_free>>;

inline void describe(calls &c, zarrc_array_spec *raw, const layout &l, const void *fill,
                     std::size_t fill_size) {
  if (!l.data_type.empty())
    c(zarrc_array_spec_set_data_type, raw, l.data_type.c_str());
  if (l.format != format::any)
    c(zarrc_array_spec_set_format, raw, static_cast<zarrc_format>(l.format));
  if (l.chunk_shape.size())
    c(zarrc_array_spec_set_chunk_shape, raw, l.chunk_shape.size(), l.chunk_shape.data());
  if (l.shard_shape.size())
    c(zarrc_array_spec_set_shard_shape, raw, l.shard_shape.size(), l.shard_shape.data());
  for (const auto &[dimension, edges] : l.chunk_edges)
    c(zarrc_array_spec_set_chunk_edges, raw, dimension, edges.size(), edges.data());
  if (fill)
    c(zarrc_array_spec_set_fill_value, raw, fill, fill_size);
  if (!l.fill_value_json.empty())
    c(zarrc_array_spec_set_fill_value_json, raw, l.fill_value_json.c_str());
  for (const auto &[name, configuration] : l.codecs)
    c(zarrc_array_spec_add_codec, raw, name.c_str(),
      configuration.empty() ? nullptr : configuration.c_str());
  if (l.order)
    c(zarrc_array_spec_set_order, raw, l.order);
  if (l.separator)
    c(zarrc_array_spec_set_separator, raw, l.separator);
  if (!l.dimension_names.empty()) {
    std::vector<const char *> names;
    for (const std::string &name : l.dimension_names)
      names.push_back(name.empty() ? nullptr : name.c_str());
    c(zarrc_array_spec_set_dimension_names, raw, names.size(), names.data());
  }
  if (!l.attributes_json.empty())
    c(zarrc_array_spec_set_attributes_json, raw, l.attributes_json.c_str());
  if (l.attributes)
    c(zarrc_array_spec_set_attributes, raw, l.attributes->get());
  if (!l.missing_value.empty())
    c(zarrc_array_spec_set_missing_value, raw, static_cast<const void *>(l.missing_value.data()),
      l.missing_value.size());
}

inline spec_handle make_spec(calls &c, data_type type, const extents &shape, const layout &l,
                             const void *fill, std::size_t fill_size) {
  zarrc_array_spec *raw = nullptr;
  c(zarrc_array_spec_new, static_cast<zarrc_data_type>(type), shape.size(), shape.data(), &raw);
  spec_handle spec(raw);
  describe(c, raw, l, fill, fill_size);
  return spec;
}

inline spec_handle make_spec_like(calls &c, const zarrc_array *other, const extents &shape,
                                  const layout &l) {
  zarrc_array_spec *raw = nullptr;
  c(zarrc_array_spec_new_like, other, &raw);
  spec_handle spec(raw);
  if (shape.size())
    c(zarrc_array_spec_set_shape, raw, shape.size(), shape.data());
  describe(c, raw, l, nullptr, 0);
  return spec;
}

/// Refuses an array whose elements T cannot hold, when it is opened rather than when it is read.
inline void check_type(calls &c, const zarrc_array *raw) {
  if (!c.ok())
    return;
  const zarrc_data_type stored = zarrc_array_data_type(raw);
  if (stored >= ZARRC_RAW && stored <= ZARRC_JSON && stored != ZARRC_DATETIME64 &&
      stored != ZARRC_TIMEDELTA64)
    c.fail(ZARRC_TYPE_MISMATCH, "the array does not hold numbers: open it without a type");
}

} // namespace detail

/// An open group.
class group {
public:
  struct entry {
    std::string path; ///< relative to the group
    node_kind kind;
  };
  explicit group(zarrc_group *handle) : handle_(handle) {}
  zarrc_group *get() const noexcept { return handle_.get(); }
  attributes_view attributes() const noexcept {
    return attributes_view(zarrc_group_attributes(get()));
  }
  /// Its children, or all that lies below it, sorted by path.
  returns<std::vector<entry>> list(bool recursive = false) const {
    detail::calls c;
    zarrc_listing *raw = nullptr;
    c(zarrc_group_list, get(), recursive, &raw);
    std::unique_ptr<zarrc_listing, detail::freed<zarrc_listing_free>> listing(raw);
    return c.give([&] {
      std::vector<entry> found;
      for (std::size_t n = 0; n < zarrc_listing_count(raw); n++)
        found.push_back(
            {zarrc_listing_path(raw, n), static_cast<node_kind>(zarrc_listing_kind(raw, n))});
      return found;
    });
  }
  /// Calls `visit(const char *path, node_kind kind)` for all that lies below; false ends the visit.
  template <class F> returns<void> visit(F visit) const {
    auto each = [&](const char *path, zarrc_node_kind kind) {
      return visit(path, static_cast<node_kind>(kind));
    };
    detail::called_back<decltype(each)> guard(each);
    detail::calls c;
    c(
        zarrc_group_visit, get(),
        +[](void *user, const char *path, zarrc_node_kind kind) {
          return (*static_cast<detail::called_back<decltype(each)> *>(user))(path, kind);
        },
        static_cast<void *>(&guard));
    guard.rethrow();
    return c.end();
  }
  /// The group and all that lies below as text, a line for each node.
  returns<std::string> tree() const { return detail::text(zarrc_group_tree, get()); }
  returns<void> close() { return detail::calls()(zarrc_group_close, handle_.release()).end(); }

private:
  std::unique_ptr<zarrc_group, detail::closed<zarrc_group_close>> handle_;
};

/// How zarrc::store::convert() goes about it.
struct conversion {
  bool accept_losses = false, keep_old = false;
  zarrc::progress progress;
};

/// An open store. What was opened from it stays usable after its end.
class store {
public:
  explicit store(zarrc_store *handle) : handle_(handle) {}
#ifndef ZARRC_NO_EXCEPTIONS
  explicit store(const std::string &url, zarrc::mode mode = zarrc::mode::read,
                 const options &settings = {})
      : store(open(url, mode, settings)) {}
#endif
  static returns<store> open(const std::string &url, zarrc::mode mode = zarrc::mode::read,
                             const options &settings = {}) {
    detail::calls c;
    const auto chosen = detail::make_options(c, settings);
    zarrc_store *out = nullptr;
    c(zarrc_store_open, url.c_str(), static_cast<zarrc_mode>(mode), chosen.get(), &out);
    return c.give([&] { return store(out); });
  }
  zarrc_store *get() const noexcept { return handle_.get(); }
  returns<void> close() { return detail::calls()(zarrc_store_close, handle_.release()).end(); }

  // Nodes. "" is the root.

  returns<node_kind> kind(const std::string &path = "") const {
    zarrc_node_kind kind = ZARRC_NODE_NONE;
    return detail::calls()(zarrc_node_kind_at, get(), path.c_str(), &kind).give([&] {
      return static_cast<node_kind>(kind);
    });
  }
  returns<array> open_array(const std::string &path = "") {
    zarrc_array *out = nullptr;
    return detail::calls()(zarrc_array_open, get(), path.c_str(), &out).give([&] {
      return array(out);
    });
  }
  template <class T> returns<typed_array<T>> open_array(const std::string &path = "") {
    detail::calls c;
    zarrc_array *out = nullptr;
    c(zarrc_array_open, get(), path.c_str(), &out);
    typed_array<T> own(out);
    detail::check_type(c, out);
    return c.give([&] { return std::move(own); });
  }
  template <class T>
  returns<typed_array<T>> create_array(const std::string &path, const extents &shape,
                                    const layout &l = {}, std::optional<T> fill_value = {}) {
    zarrc_array *out = nullptr;
    return create(zarrc_array_create, out, type_of<T>::value, path, shape, l,
                  fill_value ? &*fill_value : nullptr, sizeof(T))
        .give([&] { return typed_array<T>(out); });
  }
  /// Opens an array of this shape and type, or creates it where there is none.
  template <class T>
  returns<typed_array<T>> require_array(const std::string &path, const extents &shape,
                                    const layout &l = {}, std::optional<T> fill_value = {}) {
    zarrc_array *out = nullptr;
    return create(zarrc_array_require, out, type_of<T>::value, path, shape, l,
                  fill_value ? &*fill_value : nullptr, sizeof(T))
        .give([&] { return typed_array<T>(out); });
  }
  /// Opens an array, whatever it is, or creates it where there is none.
  template <class T>
  returns<typed_array<T>> open_or_create_array(const std::string &path, const extents &shape,
                                    const layout &l = {}, std::optional<T> fill_value = {}) {
    zarrc_array *out = nullptr;
    return create(zarrc_array_open_or_create, out, type_of<T>::value, path, shape, l,
                  fill_value ? &*fill_value : nullptr, sizeof(T))
        .give([&] { return typed_array<T>(out); });
  }
  /// Creates an array in place of whatever is there.
  template <class T>
  returns<typed_array<T>> overwrite_array(const std::string &path, const extents &shape,
                                    const layout &l = {}, std::optional<T> fill_value = {}) {
    zarrc_array *out = nullptr;
    return create(zarrc_array_overwrite, out, type_of<T>::value, path, shape, l,
                  fill_value ? &*fill_value : nullptr, sizeof(T))
        .give([&] { return typed_array<T>(out); });
  }
  /// Of a type that is known at run time only, or has parameters (layout::data_type).
  returns<array> create_array(data_type type, const std::string &path, const extents &shape,
                              const layout &l = {}) {
    zarrc_array *out = nullptr;
    return create(zarrc_array_create, out, type, path, shape, l, nullptr, 0).give([&] {
      return array(out);
    });
  }
  /// Like another array, perhaps of another shape; what `l` sets is different.
  returns<array> create_array_like(const array &other, const std::string &path,
                                   const extents &shape = {}, const layout &l = {}) {
    detail::calls c;
    const auto spec = detail::make_spec_like(c, other.get(), shape, l);
    zarrc_array *out = nullptr;
    c(zarrc_array_create, get(), path.c_str(), spec.get(), &out);
    return c.give([&] { return array(out); });
  }
  /// With its elements, any contiguous range: there is no array where they cannot be written.
  template <class R, std::enable_if_t<detail::is_range<R>::value, int> = 0>
  auto create_array_from(const std::string &path, const extents &shape, const R &elements)
      -> returns<typed_array<std::remove_cv_t<detail::element_of<const R>>>> {
    using T = std::remove_cv_t<detail::element_of<const R>>;
    zarrc_array *out = nullptr;
    return detail::calls()(zarrc_array_create_from_buffer, get(), path.c_str(), type_number<T>(),
                           shape.size(), shape.data(), static_cast<const void *>(std::data(elements)),
                           std::size(elements) * sizeof(T), &out)
        .give([&] { return typed_array<T>(out); });
  }
  /// From a metadata document, as it would stand in the store.
  returns<array> create_array_json(const std::string &path, zarrc::format format,
                                   const std::string &metadata) {
    zarrc_array *out = nullptr;
    return detail::calls()(zarrc_array_create_json, get(), path.c_str(),
                           static_cast<zarrc_format>(format), metadata.c_str(), &out)
        .give([&] { return array(out); });
  }
  /// Opens an array that a document given here describes; that in the store is not read.
  returns<array> open_array_json(const std::string &path, zarrc::format format,
                                 const std::string &metadata) {
    zarrc_array *out = nullptr;
    return detail::calls()(zarrc_array_open_json, get(), path.c_str(),
                           static_cast<zarrc_format>(format), metadata.c_str(), &out)
        .give([&] { return array(out); });
  }
  returns<group> open_group(const std::string &path = "") {
    zarrc_group *out = nullptr;
    return detail::calls()(zarrc_group_open, get(), path.c_str(), &out).give([&] {
      return group(out);
    });
  }
  returns<group> create_group(const std::string &path, zarrc::format format = zarrc::format::any) {
    return group_by(zarrc_group_create, path, format);
  }
  /// Opens a group, or creates it where there is nothing.
  returns<group> require_group(const std::string &path, zarrc::format format = zarrc::format::any) {
    return group_by(zarrc_group_require, path, format);
  }
  /// Creates a group in place of whatever is there.
  returns<group> overwrite_group(const std::string &path,
                                 zarrc::format format = zarrc::format::any) {
    return group_by(zarrc_group_overwrite, path, format);
  }
  returns<void> remove(const std::string &path) {
    return detail::calls()(zarrc_node_delete, get(), path.c_str()).end();
  }

  // Transactions.

  /// Changes that others see all at once, by commit(), or never. Ends with close().
  returns<store> begin() {
    zarrc_store *out = nullptr;
    return detail::calls()(zarrc_store_begin, get(), &out).give([&] { return store(out); });
  }
  /// Of a transaction; Icechunk keeps the message. A conflict: begin another one, and do it again.
  returns<void> commit(const std::string &message = {}) {
    const char *text = message.empty() ? nullptr : message.c_str();
    return detail::calls()(zarrc_store_commit, get(), text).end();
  }
  returns<void> rollback() { return detail::calls()(zarrc_store_rollback, get()).end(); }
  /// The snapshot that an Icechunk repository shows.
  returns<std::string> snapshot() const {
    detail::calls c;
    char *text = nullptr;
    c(zarrc_store_snapshot, get(), &text);
    const detail::owned_string own(text);
    return c.give([&] { return std::string(text); });
  }

  // Keys, as they lie in the store.

  returns<std::string> value(const std::string &key) const {
    return bytes([&](detail::calls &c, std::uint8_t **to, std::size_t *size) {
      c(zarrc_store_get, get(), key.c_str(), to, size);
    });
  }
  returns<std::string> value(const std::string &key, std::uint64_t offset,
                             std::uint64_t length) const {
    return bytes([&](detail::calls &c, std::uint8_t **to, std::size_t *size) {
      c(zarrc_store_get_range, get(), key.c_str(), offset, length, to, size);
    });
  }
  returns<void> set_value(const std::string &key, std::string_view value) {
    return detail::calls()(zarrc_store_set, get(), key.c_str(),
                           static_cast<const void *>(value.data()), value.size())
        .end();
  }
  returns<void> erase(const std::string &key) {
    return detail::calls()(zarrc_store_erase, get(), key.c_str()).end();
  }
  returns<void> erase_prefix(const std::string &prefix) {
    return detail::calls()(zarrc_store_erase_prefix, get(), prefix.c_str()).end();
  }
  returns<void> forget(const std::string &prefix = "") {
    return detail::calls()(zarrc_store_forget, get(), prefix.c_str()).end();
  }

  // Conversion to another format.

  returns<void> convert(const std::string &path, store &to, const std::string &to_path,
                        zarrc::format format, const conversion &how = {}) const {
    detail::reporter report(how.progress);
    zarrc_convert_options chosen = convert_options(how);
    chosen.progress = report.function();
    chosen.user = report.user();
    detail::calls c;
    c(zarrc_convert, get(), path.c_str(), to.get(), to_path.c_str(),
      static_cast<zarrc_format>(format), &chosen);
    report.rethrow();
    return c.end();
  }
  returns<std::string> convert_plan(const std::string &path, const store &to,
                                    const std::string &to_path, zarrc::format format,
                                    const conversion &how = {}) const {
    const zarrc_convert_options chosen = convert_options(how);
    return detail::text(zarrc_convert_plan, get(), path.c_str(), to.get(), to_path.c_str(),
                        static_cast<zarrc_format>(format), &chosen);
  }

private:
  template <class F>
  returns<group> group_by(F function, const std::string &path, zarrc::format format) {
    zarrc_group *out = nullptr;
    return detail::calls()(function, get(), path.c_str(), static_cast<zarrc_format>(format), &out)
        .give([&] { return group(out); });
  }
  template <class F>
  detail::calls create(F function, zarrc_array *&out, data_type type, const std::string &path,
                       const extents &shape, const layout &l, const void *fill,
                       std::size_t fill_size) {
    detail::calls c;
    const auto spec = detail::make_spec(c, type, shape, l, fill, fill_size);
    c(function, get(), path.c_str(), spec.get(), &out);
    return c;
  }
  template <class F> returns<std::string> bytes(F read) const {
    detail::calls c;
    std::uint8_t *value = nullptr;
    std::size_t size = 0;
    read(c, &value, &size);
    struct owned {
      std::uint8_t *value;
      std::size_t size;
      ~owned() { zarrc_value_free(value, size); }
    } own{value, size};
    return c.give([&] { return std::string(reinterpret_cast<const char *>(own.value), own.size); });
  }
  static zarrc_convert_options convert_options(const conversion &how) {
    zarrc_convert_options chosen{};
    chosen.size = sizeof chosen;
    chosen.accept_losses = how.accept_losses;
    chosen.keep_old = how.keep_old;
    return chosen;
  }

  std::unique_ptr<zarrc_store, detail::closed<zarrc_store_close>> handle_;
};

// By one URL, without a store of their own: "data/run1.zarr/temperature".

inline returns<array> open_array(const std::string &url, mode how = mode::read,
                                 const options &settings = {}) {
  detail::calls c;
  const auto chosen = detail::make_options(c, settings);
  zarrc_array *out = nullptr;
  c(zarrc_array_open_url, url.c_str(), static_cast<zarrc_mode>(how), chosen.get(), &out);
  return c.give([&] { return array(out); });
}
template <class T>
returns<typed_array<T>> open_array(const std::string &url, mode how = mode::read,
                                   const options &settings = {}) {
  detail::calls c;
  const auto chosen = detail::make_options(c, settings);
  zarrc_array *out = nullptr;
  c(zarrc_array_open_url, url.c_str(), static_cast<zarrc_mode>(how), chosen.get(), &out);
  typed_array<T> own(out);
  detail::check_type(c, out);
  return c.give([&] { return std::move(own); });
}
inline returns<group> open_group(const std::string &url, mode how = mode::read,
                                 const options &settings = {}) {
  detail::calls c;
  const auto chosen = detail::make_options(c, settings);
  zarrc_group *out = nullptr;
  c(zarrc_group_open_url, url.c_str(), static_cast<zarrc_mode>(how), chosen.get(), &out);
  return c.give([&] { return group(out); });
}

} // namespace zarrc

#endif
