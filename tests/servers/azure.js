// Loaded before Azurite: its listings come in pages of 1000 blobs instead of 5000, so that tests meet more than
// one. What is asked for with maxresults stays.
const path = require("path");
require(path.join(path.dirname(process.argv[1]), "utils", "constants.js")).DEFAULT_LIST_BLOBS_MAX_RESULTS = 1000;
