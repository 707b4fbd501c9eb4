exports.scenarios = { ...require("./axios.cjs"), ...require("./got.cjs"), ...require("./node-fetch.cjs") };
