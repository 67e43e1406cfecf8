// Attributes of nodes. Include zarrc.hpp.
#ifndef ZARRC_ATTRIBUTES_HPP
#define ZARRC_ATTRIBUTES_HPP

#include "zarrc_core.hpp"

#include <string_view>

namespace zarrc {

/// The attributes of an open node, written through at once. Good as long as the node is open.
class attributes_view {
public:
  explicit attributes_view(zarrc_attributes *handle) : handle_(handle) {}
  zarrc_attributes *get() const noexcept { return handle_; }

  /// All of them as the text of a JSON object; the value of one as JSON.
  returns<std::string> json() const { return detail::text(zarrc_attributes_json, handle_); }
  returns<std::string> json(const std::string &key) const {
    return detail::text(zarrc_attributes_get_json, handle_, key.c_str());
  }
  returns<void> set_json(const std::string &key, const std::string &json) {
    return detail::calls()(zarrc_attributes_set_json, handle_, key.c_str(), json.c_str()).end();
  }
  returns<void> replace_json(const std::string &json) {
    return detail::calls()(zarrc_attributes_replace_json, handle_, json.c_str()).end();
  }

  returns<void> set(const std::string &key, std::string_view text) {
    return detail::calls()(zarrc_attributes_set_string, handle_, key.c_str(),
                           std::string(text).c_str())
        .end();
  }
  returns<void> set(const std::string &key, const char *text) {
    return set(key, std::string_view(text));
  }
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  returns<void> set(const std::string &key, T value) {
    detail::calls c;
    if constexpr (std::is_same_v<T, bool>)
      c(zarrc_attributes_set_bool, handle_, key.c_str(), value);
    else if constexpr (std::is_same_v<T, float>)
      c(zarrc_attributes_set_float, handle_, key.c_str(), value);
    else if constexpr (std::is_floating_point_v<T>)
      c(zarrc_attributes_set_double, handle_, key.c_str(), static_cast<double>(value));
    else if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8)
      c(zarrc_attributes_set_json, handle_, key.c_str(), std::to_string(value).c_str());
    else
      c(zarrc_attributes_set_int64, handle_, key.c_str(), static_cast<std::int64_t>(value));
    return c.end();
  }

  /// A list of numbers: any contiguous range.
  template <class R, std::enable_if_t<detail::is_range<R>::value &&
                                          !std::is_convertible_v<const R &, std::string_view>,
                                      int> = 0>
  returns<void> set(const std::string &key, const R &list) {
    using T = std::remove_cv_t<detail::element_of<const R>>;
    using stored = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
    static_assert(std::is_floating_point_v<T> || sizeof(T) < 8 || std::is_signed_v<T>,
                  "no lists of uint64_t: set_json()");
    if constexpr (!std::is_same_v<T, stored>)
      return set(key, std::vector<stored>(std::begin(list), std::end(list)));
    else if constexpr (std::is_floating_point_v<T>)
      return detail::calls()(zarrc_attributes_set_doubles, handle_, key.c_str(), std::size(list),
                             std::data(list))
          .end();
    else
      return detail::calls()(zarrc_attributes_set_int64s, handle_, key.c_str(), std::size(list),
                             std::data(list))
          .end();
  }
  returns<void> set(const std::string &key, const std::vector<std::string> &list) {
    std::vector<const char *> texts;
    for (const std::string &text : list)
      texts.push_back(text.c_str());
    return detail::calls()(zarrc_attributes_set_strings, handle_, key.c_str(), texts.size(),
                           texts.data())
        .end();
  }
  returns<void> set_null(const std::string &key) {
    return detail::calls()(zarrc_attributes_set_null, handle_, key.c_str()).end();
  }
  /// Writes all attributes of another set at once.
  returns<void> update(const attributes_view &others) {
    return detail::calls()(zarrc_attributes_update, handle_, others.get()).end();
  }
  returns<std::vector<std::string>> names() const {
    detail::calls c;
    std::size_t count = 0;
    c(zarrc_attributes_count, handle_, &count);
    std::vector<std::string> found;
    for (std::size_t n = 0; n < count && c.ok(); n++) {
      char *name = nullptr;
      c(zarrc_attributes_name, handle_, n, &name);
      detail::owned_string own(name);
      if (c.ok())
        found.emplace_back(name);
    }
    return c.give([&] { return std::move(found); });
  }
  /// What an attribute is, and how many elements a list has.
  returns<std::pair<attribute_kind, std::size_t>> kind(const std::string &key) const {
    zarrc_attribute_kind kind{};
    std::size_t count = 0;
    return detail::calls()(zarrc_attributes_kind, handle_, key.c_str(), &kind, &count).give([&] {
      return std::make_pair(static_cast<attribute_kind>(kind), count);
    });
  }
  /// Lists: get_list<double>("x"), of double, std::int64_t or std::string.
  template <class T> returns<std::vector<T>> get_list(const std::string &key) const {
    detail::calls c;
    zarrc_attribute_kind kind{};
    std::size_t count = 0;
    c(zarrc_attributes_kind, handle_, key.c_str(), &kind, &count);
    std::vector<T> list(c.ok() ? count : 0);
    if constexpr (std::is_same_v<T, double>) {
      c(zarrc_attributes_get_doubles, handle_, key.c_str(), list.size(), list.data(), &count);
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      c(zarrc_attributes_get_int64s, handle_, key.c_str(), list.size(), list.data(), &count);
    } else {
      static_assert(std::is_same_v<T, std::string>,
                    "lists of double, std::int64_t and std::string");
      for (std::size_t n = 0; n < list.size() && c.ok(); n++) {
        char *text = nullptr;
        c(zarrc_attributes_get_string_at, handle_, key.c_str(), n, &text);
        detail::owned_string own(text);
        if (c.ok())
          list[n] = text;
      }
    }
    return c.give([&] { return std::move(list); });
  }

  /// get<double>("x"), get<int>("n"), get<bool>("b"), get<std::string>("units")
  template <class T> returns<T> get(const std::string &key) const {
    detail::calls c;
    if constexpr (std::is_same_v<T, std::string>) {
      return detail::text(zarrc_attributes_get_string, handle_, key.c_str());
    } else if constexpr (std::is_floating_point_v<T>) {
      double value = 0;
      c(zarrc_attributes_get_double, handle_, key.c_str(), &value);
      return c.give([&] { return static_cast<T>(value); });
    } else if constexpr (std::is_same_v<T, bool>) {
      bool value = false;
      return c(zarrc_attributes_get_bool, handle_, key.c_str(), &value).give([&] { return value; });
    } else {
      static_assert(std::is_integral_v<T>, "numbers, bool and strings; json() has the rest");
      std::int64_t value = 0;
      c(zarrc_attributes_get_int64, handle_, key.c_str(), &value);
      if (c.ok() && (static_cast<std::int64_t>(static_cast<T>(value)) != value ||
                     (std::is_unsigned_v<T> && value < 0)))
        c.fail(ZARRC_TYPE_MISMATCH, ("attribute " + key + " does not fit this type").c_str());
      return c.give([&] { return static_cast<T>(value); });
    }
  }
  returns<bool> contains(const std::string &key) const {
    detail::calls c;
    char *json = nullptr;
    c(zarrc_attributes_get_json, handle_, key.c_str(), &json);
    detail::owned_string own(json);
    if (c.status() == ZARRC_NOT_FOUND)
      return false;
    return c.give([] { return true; });
  }
  returns<void> erase(const std::string &key) {
    return detail::calls()(zarrc_attributes_delete, handle_, key.c_str()).end();
  }

private:
  zarrc_attributes *handle_;
};

/// Attributes that belong to no node: filled first, then written at once by
/// attributes_view::update(), or with a new array.
class attribute_set : public attributes_view {
public:
  explicit attribute_set(zarrc_attributes *handle) : attributes_view(handle), own_(handle) {}
  static returns<attribute_set> make() {
    zarrc_attributes *out = nullptr;
    return detail::calls()(zarrc_attributes_new, &out).give([&] { return attribute_set(out); });
  }

private:
  std::unique_ptr<zarrc_attributes, detail::freed<zarrc_attributes_free>> own_;
};

} // namespace zarrc

#endif
