import { describe } from "vitest";
import { database } from "./databases.ts";
import { databaseTests } from "./database-tests.ts";

describe("databases/pg", () => databaseTests(database("databases/pg")));
