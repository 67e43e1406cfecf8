# make             the libraries, in build/
# make demo        a simulation that writes, and reads back, a compressed array that grows
# make test        everything that must hold
# make check-long  what takes longer: builds compared, packages looked at, more damage to chunks
# make fuzz        every fuzz target for MINUTES=10 each (needs nightly Rust)
# make c-test NAME=roundtrip   one of c_tests/ against the debug library, in seconds
# make header      include/zarrc.h, after a change of src/capi/
# make lint        rustfmt and clippy
# make docs        the book, with the manuals of C and Rust inside, in build/docs/book; a warning is an error
# make bench       zarrc beside other libraries: a table, also in build/bench/results.md; about five minutes
#                  FULL=1: large arrays and every row; DOC=docs/performance.md: puts the table there
#                  FAR=1: S3 and HTTP with a delay, beside tensorstore (needs Go)
#                  COLD=1: files that are not in memory, in build/bench/cold.md
#                  MPI=1: ranks beside parallel HDF5 and PnetCDF (Debian: libhdf5-openmpi-dev, libpnetcdf-dev)
# make install     the library, the command, its manual pages and completions: PREFIX=/usr/local DESTDIR=
# make uninstall   deletes what the last installation has put there

BUILD ?= build
PREFIX ?= /usr/local
export BUILD MINUTES
export PATH := $(PATH):$(HOME)/.cargo/bin
export CARGO_TARGET_DIR ?= $(CURDIR)/target

all: tools
	cmake -S . -B $(BUILD) -DZARRC_CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)
	cmake --build $(BUILD) --parallel

# of the stores, the directory alone
demo: tools
	cmake -S . -B $(BUILD)/demo --preset lean -DZARRC_BUILD_TESTS=OFF -DZARRC_CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)
	cmake --build $(BUILD)/demo --parallel --target heat tree
	$(BUILD)/demo/examples/heat $(BUILD)/heat.zarr
	$(BUILD)/demo/examples/tree $(BUILD)/heat.zarr

test: tools
	tools/test.sh

check-long: tools
	tools/check_long.sh

fuzz:
	tools/fuzz.sh

c-test:
	tools/c_test.sh $(NAME)

lint:
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets --all-features -- -D warnings

header:
	ZARRC_HEADER=write cargo test --locked --package zarrc-source -- header abi

docs: tools
	tools/docs.sh

bench: all
ifdef FAR
	benches/far/run.py --library $(BUILD)/libzarrc.so
else ifdef MPI
	benches/mpi/run.py --library $(BUILD) $(if $(DOC),--doc $(DOC))
else
	benches/peers/run.py --build $(BUILD) $(if $(FULL),--full) $(if $(COLD),--cold) $(if $(DOC),--doc $(DOC))
	$(if $(COLD),,benches/peers/run.py --pipelines --build $(BUILD) $(if $(FULL),--full) $(if $(DOC),--doc $(DOC)))
endif

install: tools
	cmake -S . -B $(BUILD) -DZARRC_COMMAND=ON -DZARRC_CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)
	cmake --build $(BUILD) --parallel
	cmake --install $(BUILD) --prefix $(PREFIX)

uninstall:
	cmake --build $(BUILD) --target uninstall

tools:
	@tools/bootstrap.sh

clean:
	rm -rf $(BUILD) $(CARGO_TARGET_DIR)

.PHONY: all demo test check-long fuzz c-test lint header docs bench install uninstall tools clean
