// MongoDB's driver of the major version before the latest.
module.exports = require("mongodb");
