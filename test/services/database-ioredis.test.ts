import { describe } from "vitest";
import { database } from "./databases.ts";
import { databaseTests } from "./database-tests.ts";

describe("databases/ioredis", () => databaseTests(database("databases/ioredis")));
