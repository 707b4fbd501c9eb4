// node clients.mjs <scenario>: HTTP clients other than fetch; the provider is the one of OPENAI_BASE_URL.
import axios from "axios";
import got from "got";
import fetch from "node-fetch";
import OpenAI from "openai";
import { scenarios } from "./clients-scenarios.cjs";
import { main } from "./program.cjs";

await main(scenarios, { axios, got, fetch, client: () => new OpenAI({ fetch }) });
