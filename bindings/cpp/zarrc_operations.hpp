// Copying, moving, rechunking and checking of nodes. Include zarrc.hpp.
#ifndef ZARRC_OPERATIONS_HPP
#define ZARRC_OPERATIONS_HPP

#include "zarrc.hpp"

namespace zarrc {

/// How copy() goes about it.
struct copying {
  zarrc::if_exists if_exists = zarrc::if_exists::fail;
  bool dry_run = false;
  /// Make hard links: both stores must be directories on one file system.
  bool link = false;
  /// Paths of nodes, relative to the copied one, that are left out with all below them.
  std::vector<std::string> exclude;
  zarrc::progress progress;
};

/// Copies a node and everything below it, as it is stored.
inline returns<zarrc_copied> copy(const store &from, const std::string &path, store &to,
                                  const std::string &to_path, const copying &how = {}) {
  detail::reporter report(how.progress);
  std::vector<const char *> exclude;
  for (const std::string &one : how.exclude)
    exclude.push_back(one.c_str());
  zarrc_copy_options chosen{};
  chosen.size = sizeof chosen;
  chosen.if_exists = static_cast<zarrc_if_exists>(how.if_exists);
  chosen.dry_run = how.dry_run;
  chosen.link = how.link;
  chosen.exclude_count = exclude.size();
  chosen.exclude = exclude.data();
  chosen.progress = report.function();
  chosen.user = report.user();
  zarrc_copied copied{};
  detail::calls c;
  c(zarrc_node_copy_with, from.get(), path.c_str(), to.get(), to_path.c_str(), &chosen, &copied);
  report.rethrow();
  return c.give([&] { return copied; });
}

/// Gives a node, and everything below it, another path in the same store.
inline returns<void> move(store &in, const std::string &path, const std::string &to_path) {
  return detail::calls()(zarrc_node_move, in.get(), path.c_str(), to_path.c_str()).end();
}

/// Deletes a node and everything below it, node by node; how many.
inline returns<std::uint64_t> remove(store &in, const std::string &path, const progress &told) {
  detail::reporter report(told);
  std::uint64_t deleted = 0;
  detail::calls c;
  c(zarrc_node_delete_with, in.get(), path.c_str(), report.function(), report.user(), &deleted);
  report.rethrow();
  return c.give([&] { return deleted; });
}

/// Writes consolidated metadata for a group.
inline returns<void> consolidate(store &in, const std::string &path = "") {
  return detail::calls()(zarrc_consolidate_metadata, in.get(), path.c_str()).end();
}

/// Rewrites an array with other chunks, shards, codecs or another format, within bounded memory (0:
/// 256 MiB). Called again after an interruption, it resumes.
inline returns<void> rechunk(const array &from, store &to, const std::string &path,
                             const layout &l, std::uint64_t memory_limit = 0,
                             const progress &told = {}) {
  detail::reporter report(told);
  detail::calls c;
  extents shape(from.rank(), nullptr);
  c(zarrc_array_shape, from.get(), shape.size(), shape.data());
  layout own = l;
  if (own.data_type.empty() && size_of(from.type()) == 0) {
    char *text = nullptr; // a type with parameters
    c(zarrc_array_data_type_text, from.get(), &text);
    const detail::owned_string held(text);
    own.data_type = c.ok() ? text : "";
  }
  const auto spec = detail::make_spec(c, from.type(), shape, own, nullptr, 0);
  c(zarrc_rechunk, from.get(), to.get(), path.c_str(), spec.get(), memory_limit, report.function(),
    report.user());
  report.rethrow();
  return c.end();
}

/// Appends `extent` elements along one dimension, which `write(array &grown, const char *document,
/// std::uint64_t first)` writes, in any number of calls, threads or processes: through `grown`, the
/// array as it will be, or through what store::open_array_json() opens with `document`, both valid
/// during the call. `first` is where the block begins. The array grows once `write` has returned; it
/// keeps its shape if `write` throws or returns false. `write` may be called again with another
/// place if others append meanwhile.
template <class F>
returns<void> append_with(array &to, std::size_t axis, std::uint64_t extent, F write) {
  const auto call = [&](zarrc_array *handle, const char *document, std::uint64_t first) {
    struct lent : array { // the library's
      using array::array;
      ~lent() { release(); }
    } grown(handle);
    return write(static_cast<array &>(grown), document, first);
  };
  using guard = detail::called_back<decltype(call)>;
  guard guarded(call);
  detail::calls c;
  c(zarrc_array_append_with, to.get(), axis, extent,
    +[](void *user, zarrc_array *grown, const char *document, std::uint64_t first,
        zarrc_error *) -> zarrc_status {
      return (*static_cast<guard *>(user))(grown, document, first) ? ZARRC_OK : ZARRC_CANCELLED;
    },
    &guarded);
  guarded.rethrow();
  return c.end();
}

/// Checks everything below a node; the report is JSON.
inline returns<std::string> verify(const store &in, const std::string &path = "",
                                   const progress &told = {}) {
  detail::reporter report(told);
  detail::calls c;
  char *found = nullptr;
  c(zarrc_verify, in.get(), path.c_str(), report.function(), report.user(), &found);
  const detail::owned_string own(found);
  report.rethrow();
  return c.give([&] { return std::string(found); });
}

/// How hdf5_export() writes a file.
struct hdf5_file {
  bool accept_losses = false; ///< Leave out what HDF5 has nothing like.
  bool replace = false;       ///< Replace a file that is there.
  std::string unlimited;      ///< Names of dimensions that may grow, separated by commas.
  std::uint64_t memory_limit = 0; ///< Bytes for elements; 0: 64 MiB.
  zarrc::progress progress;       ///< Receives reports.
};

/// Writes a node and all below it as a new HDF5 file; what changes on the way is JSON.
inline returns<std::string> hdf5_export(const store &from, const std::string &path,
                                        const std::string &file, const hdf5_file &how = {}) {
  detail::reporter report(how.progress);
  zarrc_hdf5_options chosen{};
  chosen.size = sizeof chosen;
  chosen.accept_losses = how.accept_losses;
  chosen.replace = how.replace;
  chosen.unlimited = how.unlimited.c_str();
  chosen.memory_limit = how.memory_limit;
  chosen.progress = report.function();
  chosen.user = report.user();
  detail::calls c;
  char *notes = nullptr;
  c(zarrc_hdf5_export, from.get(), path.c_str(), file.c_str(), &chosen, &notes);
  const detail::owned_string own(notes);
  report.rethrow();
  return c.give([&] { return std::string(notes); });
}

/// References to all below a node, as kerchunk's JSON; `url` names the file, empty: as the store does.
inline returns<std::string> references_json(const store &in, const std::string &path = "",
                                            const std::string &url = "") {
  detail::calls c;
  char *text = nullptr;
  c(zarrc_references_json, in.get(), path.c_str(), url.empty() ? nullptr : url.c_str(), nullptr,
    nullptr, &text);
  const detail::owned_string own(text);
  return c.give([&] { return std::string(text); });
}

/// Puts right the problems of some kinds ("outside,consolidated"); the report is JSON.
inline returns<std::string> repair(store &in, const std::string &path, const std::string &kinds,
                                   bool dry_run = false, const progress &told = {}) {
  detail::reporter report(told);
  detail::calls c;
  char *found = nullptr;
  c(zarrc_repair, in.get(), path.c_str(), kinds.c_str(), dry_run, report.function(), report.user(),
    &found);
  const detail::owned_string own(found);
  report.rethrow();
  return c.give([&] { return std::string(found); });
}

} // namespace zarrc

#endif
