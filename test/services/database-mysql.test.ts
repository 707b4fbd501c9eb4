import { describe } from "vitest";
import { database } from "./databases.ts";
import { databaseTests } from "./database-tests.ts";

describe("databases/mysql2", () => databaseTests(database("databases/mysql2")));
