# Changes of a store that others see all at once.

"""
    begin_transaction(store)
    transaction(f, store; message=nothing)

A store whose changes others see all at once, by `commit!`, or never. The second form calls `f` with one, commits it, and
rolls back if `f` throws. A conflict says that others changed what it read or changed: begin another one, and do it again.
"""
begin_transaction(store::Store) =
    Store(Handle(with(p -> new_pointer((out, err) -> zarrc_store_begin(p, out, err)), store.handle), zarrc_store_close), store.url)

function transaction(f::Function, store::Store; message=nothing)
    inside = begin_transaction(store)
    try
        result = f(inside)
        commit!(inside, message)
        return result
    finally
        close(inside)
    end
end

"""Makes a transaction's changes visible; Icechunk keeps the message."""
commit!(transaction::Store, message=nothing) =
    with(p -> check(err -> zarrc_store_commit(p, something(message, C_NULL), err)), transaction.handle)
"""Drops a transaction's changes."""
rollback!(transaction::Store) = with(p -> check(err -> zarrc_store_rollback(p, err)), transaction.handle)

"""The snapshot that an Icechunk repository shows."""
snapshot(store::Store) = with(p -> owned_string((out, err) -> zarrc_store_snapshot(p, out, err)), store.handle)
