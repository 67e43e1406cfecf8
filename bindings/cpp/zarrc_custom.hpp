// Stores and codecs that a program writes in C++: derive, override, hand over.
#ifndef ZARRC_CUSTOM_HPP
#define ZARRC_CUSTOM_HPP

#include "zarrc.hpp"

namespace zarrc {

/// A store of a program's own. get() alone makes a store that is read. Methods are called from any
/// thread, several at once, with keys that were checked; what they throw becomes the error that
/// zarrc's caller sees.
class custom_store {
public:
  virtual ~custom_store() = default;
  /// The value of a key; nothing where there is none.
  virtual std::optional<std::string> get(const std::string &key) = 0;
  /// Replaces a value, at once and whole for whoever calls get().
  virtual void set(const std::string &key, std::string_view value);
  /// False: there was no such key.
  virtual bool erase(const std::string &key);
  /// Gives every key that begins with a prefix, in any order, until give() returns false.
  virtual void list(const std::string &prefix,
                    const std::function<bool(const std::string &)> &give);
};

/// A codec of a program's own: bytes of bytes. Called from any thread, several at once.
class custom_codec {
public:
  virtual ~custom_codec() = default;
  virtual std::string encode(std::string_view decoded) = 0;
  virtual std::string decode(std::string_view encoded) = 0;
};

namespace detail {

inline zarrc_status tell(zarrc_error *err, zarrc_status status, const char *what) noexcept {
  if (err) {
    std::strncpy(err->message, what, sizeof err->message - 1);
    err->message[sizeof err->message - 1] = 0;
  }
  return status;
}

/// Runs a callback: nothing that it throws reaches C.
template <class F> zarrc_status guarded(zarrc_error *err, F call) noexcept {
#ifdef ZARRC_NO_EXCEPTIONS
  (void)err;
  return call();
#else
  try {
    return call();
  } catch (const zarrc::error &e) {
    return tell(err, e.status(), e.what());
  } catch (const std::bad_alloc &) {
    return tell(err, ZARRC_OUT_OF_MEMORY, "no memory");
  } catch (const std::exception &e) {
    return tell(err, ZARRC_IO, e.what());
  } catch (...) {
    return tell(err, ZARRC_IO, "an exception that is no std::exception");
  }
#endif
}

template <class T> T &own(void *user) { return **static_cast<std::shared_ptr<T> *>(user); }
template <class T> void destroyed(void *user) { delete static_cast<std::shared_ptr<T> *>(user); }

} // namespace detail

#ifndef ZARRC_NO_EXCEPTIONS
inline void custom_store::set(const std::string &, std::string_view) {
  throw error(ZARRC_PERMISSION_DENIED, "this store is read-only");
}
inline bool custom_store::erase(const std::string &) {
  throw error(ZARRC_PERMISSION_DENIED, "this store is read-only");
}
inline void custom_store::list(const std::string &,
                               const std::function<bool(const std::string &)> &) {
  throw error(ZARRC_UNSUPPORTED, "this store cannot list its keys");
}
#else
inline void custom_store::set(const std::string &, std::string_view) {}
inline bool custom_store::erase(const std::string &) { return false; }
inline void custom_store::list(const std::string &,
                               const std::function<bool(const std::string &)> &) {}
#endif

/// Opens a store of a program's own; it is kept until the last handle that uses it is closed.
inline returns<store> make_store(std::shared_ptr<custom_store> own,
                                 const std::string &name = "a store of the program",
                                 const options &settings = {}) {
  using pointer = std::shared_ptr<custom_store>;
  zarrc_store_callbacks table{};
  table.size = sizeof table;
  table.name = name.c_str();
  auto user = std::make_unique<pointer>(std::move(own));
  table.user = user.get();
  table.destroy = detail::destroyed<custom_store>;
  table.get = [](void *user, const char *key, zarrc_give_bytes give, void *to, zarrc_error *err) {
    return detail::guarded(err, [&]() -> zarrc_status {
      const auto value = detail::own<custom_store>(user).get(key);
      if (!value)
        return ZARRC_NOT_FOUND;
      return give(to, value->data(), value->size()) ? ZARRC_OK : ZARRC_OUT_OF_MEMORY;
    });
  };
  table.set = [](void *user, const char *key, const void *value, std::size_t size,
                 zarrc_error *err) {
    return detail::guarded(err, [&]() -> zarrc_status {
      detail::own<custom_store>(user).set(key, {static_cast<const char *>(value), size});
      return ZARRC_OK;
    });
  };
  table.erase = [](void *user, const char *key, zarrc_error *err) {
    return detail::guarded(err, [&]() -> zarrc_status {
      return detail::own<custom_store>(user).erase(key) ? ZARRC_OK : ZARRC_NOT_FOUND;
    });
  };
  table.list = [](void *user, const char *prefix, zarrc_give_key give, void *to, zarrc_error *err) {
    return detail::guarded(err, [&]() -> zarrc_status {
      detail::own<custom_store>(user).list(
          prefix, [&](const std::string &key) { return give(to, key.c_str()); });
      return ZARRC_OK;
    });
  };
  detail::calls c;
  const auto chosen = detail::make_options(c, settings);
  zarrc_store *out = nullptr;
  c(zarrc_store_from_callbacks, &table, chosen.get(), &out);
  if (c.ok())
    user.release(); // NOLINT: zarrc's now, until `destroy`
  return c.give([&] { return store(out); });
}

/// Makes a codec known to the process, before arrays that use it are opened.
inline returns<void> register_codec(const std::string &name, std::shared_ptr<custom_codec> own,
                                    const std::vector<std::string> &aliases = {}) {
  zarrc_codec_callbacks table{};
  table.size = sizeof table;
  auto user = std::make_unique<std::shared_ptr<custom_codec>>(std::move(own));
  table.user = user.get();
  table.destroy = detail::destroyed<custom_codec>;
  table.decode = [](void *user, void *, const std::uint8_t *from, std::size_t size,
                    std::uint8_t *to, std::size_t capacity, std::size_t *made, zarrc_error *err) {
    return detail::guarded(err, [&]() -> zarrc_status {
      const auto out =
          detail::own<custom_codec>(user).decode({reinterpret_cast<const char *>(from), size});
      if (out.size() > capacity)
        return ZARRC_LIMIT_EXCEEDED;
      std::memcpy(to, out.data(), *made = out.size());
      return ZARRC_OK;
    });
  };
  table.encode = [](void *user, void *, const std::uint8_t *from, std::size_t size,
                    std::uint8_t *to, std::size_t capacity, std::size_t *made, zarrc_error *err) {
    return detail::guarded(err, [&]() -> zarrc_status {
      const auto out =
          detail::own<custom_codec>(user).encode({reinterpret_cast<const char *>(from), size});
      if (out.size() > capacity)
        return ZARRC_LIMIT_EXCEEDED;
      std::memcpy(to, out.data(), *made = out.size());
      return ZARRC_OK;
    });
  };
  std::vector<const char *> names;
  for (const std::string &alias : aliases)
    names.push_back(alias.c_str());
  detail::calls c;
  c(zarrc_codec_register, name.c_str(), names.data(), names.size(), ZARRC_CODEC_BYTES, &table);
  if (c.ok())
    user.release(); // NOLINT: zarrc's now, until `destroy`
  return c.end();
}

/// Takes a codec away; arrays that are open keep it.
inline returns<void> unregister_codec(const std::string &name) {
  return detail::calls()(zarrc_codec_unregister, name.c_str()).end();
}

} // namespace zarrc

#endif
