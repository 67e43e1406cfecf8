"""What the other implementations are known not to do; each was seen with the pinned version.

(name, "read" | "write" | "both", tags, why): holds for a case that has all the tags. The table is
exact both ways: what fails and is not listed fails the run, and so does what is listed and works.
"""

ZARR3, ZARR2, TS, ZARRS = "zarr-python 3", "zarr-python 2", "tensorstore", "zarrs"

TABLE = [
    # zarr-python 3.1
    (ZARR3, "both", {"v3", "dtype:r24"}, "knows no r*, only raw_bytes"),
    (ZARR3, "both", {"v2", "dtype:struct-nested"}, "no nested structures in v2"),
    (ZARR3, "both", {"v2", "dtype:struct-subarray"}, "no arrays within structures"),
    (ZARR3, "write", {"fill:f2-nan-payload"}, "writes any NaN as \"NaN\""),
    (ZARR3, "write", {"fill:f4-nan-payload"}, "writes any NaN as \"NaN\""),
    (ZARR3, "write", {"fill:f8-nan-payload"}, "writes any NaN as \"NaN\""),
    (ZARR3, "read", {"fill:f2-nan-payload"}, "loses the payload of a float16 NaN"),
    (ZARR3, "read", {"v3", "dtype:struct", "big-endian"}, "takes structures for little-endian whatever `endian` says"),
    # zarr-python 2.18
    (ZARR2, "write", {"fill:f2-minus-zero"}, "takes -0 for a fill value of 0"),
    (ZARR2, "write", {"fill:f4-minus-zero"}, "takes -0 for a fill value of 0"),
    (ZARR2, "write", {"fill:f8-minus-zero"}, "takes -0 for a fill value of 0"),
    (ZARR2, "both", {"fill:c8-mixed"}, "composes complex fill values by arithmetic, which loses NaN and -0"),
    (ZARR2, "both", {"fill:c16-infinities"}, "composes complex fill values by arithmetic, which loses infinities"),
    (ZARR2, "write", {"v2", "filter:crc32c"}, "its numcodecs has no crc32c"),
    (ZARR2, "read", {"v2", "filter:crc32c", "by zarrc"}, "its numcodecs has no crc32c"),
    # tensorstore
    (TS, "both", {"dtype:U4"}, "no UTF-32 strings"),
    (TS, "both", {"dtype:M8"}, "no datetime64"),
    (TS, "both", {"dtype:m8"}, "no timedelta64"),
    (TS, "both", {"dtype:S5"}, "char arrays do not reach NumPy"),
    (TS, "both", {"dtype:V3"}, "byte arrays do not reach NumPy"),
    (TS, "both", {"dtype:r24"}, "raw bits: creating aborts the process, values do not reach NumPy"),
    (TS, "both", {"dtype:raw_bytes"}, "raw bits: creating aborts the process, values do not reach NumPy"),
    (TS, "both", {"dtype:struct-nested"}, "no nested structures"),
    (TS, "both", {"dtype:struct-big-endian"}, "no UTF-32 strings in structures"),
    (TS, "both", {"v2", "codec:lz4"}, "no lz4 in v2"),
    (TS, "both", {"v2", "codec:lzma"}, "no lzma"),
    (TS, "write", {"v2", "filters"}, "no filters in v2"),
    (TS, "read", {"v2", "filters", "by zarrc"}, "no filters in v2"),
    (TS, "both", {"v3", "filters"}, "no filters of numcodecs"),
    *((TS, "both", {"v3", f"codec:numcodecs.{name}"}, "no such codec of numcodecs") for name in (
        "adler32", "bz2", "crc32", "fletcher32", "jenkins_lookup3", "lz4", "lzma", "shuffle", "zlib")),
    (TS, "both", {"shard:gzip-outside"}, "no codecs after sharding_indexed"),
    (TS, "write", {"v2", "order:F", "rank:0"}, "no order F below two dimensions"),
    (TS, "write", {"v2", "order:F", "rank:1"}, "no order F below two dimensions"),
    # zarrs, behind zarr-python
    (ZARRS, "both", {"dtype:U4"}, "this pipeline has no strings"),
    (ZARRS, "both", {"dtype:S5"}, "this pipeline has no strings"),
    (ZARRS, "both", {"dtype:M8"}, "this pipeline has no datetime64"),
    (ZARRS, "both", {"dtype:m8"}, "this pipeline has no timedelta64"),
    (ZARRS, "both", {"dtype:V3"}, "this pipeline has no raw bits"),
    (ZARRS, "both", {"dtype:r24"}, "this pipeline has no raw bits"),
    (ZARRS, "both", {"dtype:raw_bytes"}, "this pipeline has no raw bits"),
    (ZARRS, "both", {"dtype:struct"}, "this pipeline has no structures"),
    (ZARRS, "read", {"v2", "big-endian"}, "reads v2 in this machine's byte order only"),
    (ZARRS, "read", {"v3", "big-endian", "dtype:c8"}, "swaps the components of big-endian complex numbers"),
    (ZARRS, "read", {"v3", "big-endian", "dtype:c16"}, "swaps the components of big-endian complex numbers"),
    (ZARRS, "both", {"v2", "codec:lz4"}, "no lz4 in v2"),
    (ZARRS, "both", {"v2", "codec:lzma"}, "no lzma"),
    *((ZARRS, "both", {"v3", f"codec:numcodecs.{name}"}, "no such codec in this pipeline") for name in (
        "adler32", "crc32", "fletcher32", "jenkins_lookup3", "lz4", "lzma")),
    *((ZARRS, "both", {"v3", f"filter:{name}"}, "no such filter in this pipeline") for name in (
        "delta", "quantize", "bitround", "astype", "packbits")),
    *((ZARRS, "write", {"v2", f"filter:{name}"}, "no such filter in this pipeline") for name in (
        "crc32", "crc32c", "adler32", "fletcher32", "jenkins", "base64", "delta", "delta-narrow", "delta-big",
        "delta-turned", "delta-of-other", "delta-behind", "delta-shuffle", "fso-f4", "fso-wraps", "fso-delta",
        "quantize", "quantize-f2", "bitround", "astype", "packbits", "packbits-crc32")),
    *((ZARRS, "read", {"v2", f"filter:{name}", "by zarrc"}, "no such filter in this pipeline") for name in (
        "crc32", "crc32c", "adler32", "fletcher32", "jenkins", "base64", "delta", "delta-narrow", "delta-of-other",
        "delta-behind", "delta-shuffle", "fso-f4", "fso-wraps", "fso-delta", "quantize", "quantize-f2", "bitround",
        "astype", "packbits", "packbits-crc32")),
    (ZARRS, "write", {"v2", "order:F", "rank:0"}, "no order F without dimensions"),
    (ZARRS, "read", {"v2", "order:F", "rank:0", "by zarrc"}, "no order F without dimensions"),
    (ZARRS, "read", {"v2", "order:F", "rank:2", "not-empty"}, "does not read order F"),
    (ZARRS, "read", {"v2", "order:F", "rank:3"}, "does not read order F"),
    (ZARRS, "read", {"v2", "order:F", "rank:4"}, "does not read order F"),
    (ZARRS, "both", {"fill:f2-nan-payload"}, "any NaN is \"NaN\" to the zarr-python above"),
    (ZARRS, "both", {"fill:f4-nan-payload"}, "any NaN is \"NaN\" to the zarr-python above"),
    (ZARRS, "both", {"fill:f8-nan-payload"}, "any NaN is \"NaN\" to the zarr-python above"),
]


def reason_why_not(peer, doing, tags):
    for name, what, needed, why in TABLE:
        if peer.startswith(name) and what in (doing, "both") and needed <= tags:
            return why
    return None
