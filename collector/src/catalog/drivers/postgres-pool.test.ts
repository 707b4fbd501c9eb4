import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { catalogErrorOf } from "./postgres-pool.ts";

/** As the server tells it: `routine` is the function of the server that refused. */
const codeOf = (code: string, routine = "") =>
  (catalogErrorOf(Object.assign(new DatabaseError("why", 3, "error"), { code, routine }), "db") as { code: string })
    .code;

test("what the database refuses of one change is refused, and what it refuses of every change is waited for", () => {
  expect(codeOf("22003", "int4in")).toBe("REFUSED");
  expect(codeOf("54000", "_bt_check_third_page")).toBe("REFUSED");
  // a database that has to be vacuumed before it takes any change
  expect(codeOf("54000", "GetNewTransactionId")).toBe("UNUSABLE");
  expect(codeOf("54000", "GetNewMultiXactId")).toBe("UNUSABLE");
  expect(codeOf("53100", "mdextend")).toBe("UNUSABLE");
  expect(codeOf("42501", "aclcheck_error")).toBe("DENIED");
});
