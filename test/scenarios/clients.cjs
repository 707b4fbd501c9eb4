// node clients.cjs <scenario>: the same scenarios with everything loaded by require(); got and node-fetch ship ESM only.
const axios = require("axios");
const { default: got } = require("got");
const { default: fetch } = require("node-fetch");
const { default: OpenAI } = require("openai");
const { scenarios } = require("./clients-scenarios.cjs");
const { main } = require("./program.cjs");

void main(scenarios, { axios, got, fetch, client: () => new OpenAI({ fetch }) });
