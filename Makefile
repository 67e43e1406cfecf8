# make          the libraries, in build/
# make demo     a simulation that writes, and reads back, a compressed array that grows
# make test     everything that must hold
# make header   include/zarrc.h, after a change of src/capi/
# make lint     rustfmt and clippy
# make bench    zarrc beside other libraries: a table, also in build/bench/results.md; about five minutes
#               FULL=1: large arrays and every row; DOC=docs/performance.md: puts the table there
# make install  PREFIX=/usr/local DESTDIR=

BUILD ?= build
PREFIX ?= /usr/local
export BUILD
export PATH := $(PATH):$(HOME)/.cargo/bin
export CARGO_TARGET_DIR ?= $(CURDIR)/target

all: tools
	cmake -S . -B $(BUILD) -DZARRC_CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)
	cmake --build $(BUILD) --parallel

demo: all
	$(BUILD)/examples/heat $(BUILD)/heat.zarr
	$(BUILD)/examples/tree $(BUILD)/heat.zarr

test: tools
	tools/test.sh

lint:
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings

header:
	ZARRC_HEADER=write cargo test --locked --package zarrc-source header

bench: all
	benches/peers/run.py --build $(BUILD) $(if $(FULL),--full) $(if $(DOC),--doc $(DOC))

install: all
	cmake --install $(BUILD) --prefix $(PREFIX)

tools:
	@tools/bootstrap.sh

clean:
	rm -rf $(BUILD) $(CARGO_TARGET_DIR)

.PHONY: all demo test lint header bench install tools clean
